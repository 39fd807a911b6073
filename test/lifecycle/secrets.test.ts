import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StateFile } from "../../testing/rehearsal/state-file";
import { type Outcome, only, type TestStack, toEveryServer } from "./harness";
import { oidc } from "./samples";

const canary = "canary-7f3a9c";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pemKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
/** One line of the key. */
const keyLine = pemKey.split("\n")[3] ?? "";

toEveryServer("a secret", (start, dialect) => {
  const folder = mkdtempSync(join(tmpdir(), "lifecycle-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "state.json");
  // All tests share one file, because each file derives a key, which takes a tenth of a second.
  const file = new StateFile(path, "lifecycle", "test");

  /** The text of the state's file. */
  const stateText = ({ state }: TestStack): string => {
    if (!state) throw new Error("there is no state");
    file.write(state);
    const text = readFileSync(path, "utf8");
    for (const { urn } of state.resources) expect(text).toContain(urn);
    return text;
  };

  /** Expects none of the secrets in the messages of an operation and in the state. */
  const expectNoSecret = (stack: TestStack, { result, log }: Outcome) => {
    const shown = JSON.stringify({ ...result, state: undefined }) + log.join("\n") + stateText(stack);
    for (const secret of [canary, keyLine, stack.simulator.poolsToken, stack.simulator.clusterToken]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(shown).not.toContain(secret);
    }
  };

  const secretive = (more = {}) => only("AclAuthMethod", oidc({ oidcClientSecret: canary, ...more }));
  const signing = (more = {}) =>
    only("AclAuthMethod", oidc({ oidcClientAssertion: { keySource: "private_key", privateKey: { pemKey, keyId: "key" } }, ...more }));

  test.each([
    { what: "client secret", program: secretive, changed: { oidcScopes: ["groups"] } },
    // Documented servers know no assertions.
    ...(dialect === "measured" ? [{ what: "private key of an assertion", program: signing, changed: { oidcScopes: ["groups"] } }] : []),
  ])("the $what is in no output and no state of a whole lifecycle", async ({ program, changed }) => {
    const stack = await start();
    for (const outcome of [
      await stack.preview(program()),
      await stack.up(program()),
      await stack.up(program()),
      await stack.refresh(),
      await stack.preview(program(changed)),
      await stack.up(program(changed)),
    ]) {
      expectNoSecret(stack, outcome);
    }
    const stored = JSON.stringify(stack.simulator.cluster.methods.get("sso"));
    expect(stored.includes(canary) || stored.includes(keyLine)).toBe(true);
    expectNoSecret(stack, await stack.destroy());
  });

  test("that others set on the server never enters the state", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc({ oidcClientSecret: "ours" })));
    stack.simulator.cluster.rotateClientSecret("sso", canary);
    expectNoSecret(stack, await stack.refresh());
  });

  test.each([400, 403, 500, 200])("is removed from a response with status %s that repeats it", async (status) => {
    const stack = await start();
    const repeated = [
      { program: secretive(), body: `refused: ${canary}` },
      { program: signing(), body: `refused: ${pemKey} and ${JSON.stringify(pemKey)}` },
      { program: signing(), body: `OIDCClientAssertion: can't parse the line ${keyLine}, nor ${pemKey.replaceAll("\n", " ")}` },
    ];
    for (const { program, body } of repeated) {
      stack.simulator.faults.clear();
      stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status, body }, times: Number.POSITIVE_INFINITY });
      expectNoSecret(stack, await stack.fails("up", program));
    }
  });

  test("is not in the error about an incomplete object", async () => {
    const stack = await start();
    const method = { ...stack.simulator.cluster.methods.put({ Name: "sso" }), CreateIndex: 1, ModifyIndex: 1 };
    stack.simulator.cluster.methods.delete("sso");
    const response = { ...method, Config: { ...method.Config, OIDCClientSecret: "redacted" } };
    stack.simulator.faults.add({ method: "POST", fault: { kind: "malformed", body: JSON.stringify(response) } });
    const outcome = await stack.fails("up", secretive());
    expect(outcome.errors).toContain("returned other values");
    expectNoSecret(stack, outcome);
  });

  test("is not in the failure of a check of another property", async () => {
    const stack = await start();
    const wrong = only("AclAuthMethod", { ...oidc({ oidcClientSecret: canary, oidcScopes: "no list", unknown: canary }) });
    const { errors, result, log } = await stack.fails("up", wrong);
    expect(errors).toContain("config.oidcScopes");
    expect(JSON.stringify({ ...result, state: undefined }) + log.join()).not.toContain(canary);
  });

  test.each(["TTL", "MaxToken"])(
    "that is a part of a refusal's words (%s) does not hide the refused property",
    async (oidcClientSecret) => {
      const stack = await start();
      const { errors } = await stack.fails("up", only("AclAuthMethod", oidc({ oidcClientSecret }, { maxTokenTtl: "30h" })));
      expect(errors).toContain("maxTokenTtl: ");
      expect(errors).toContain(oidcClientSecret === "TTL" ? "(not shown: " : "<secret>TTL");
      expect(errors).not.toContain(oidcClientSecret);
    },
  );
});
