import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StateFile } from "../../provider/testing/rehearsal/state-file";
import type { Fault } from "../../provider/testing/simulator";
import { type Outcome, only, throughEveryAdapterToEveryServer, type World } from "./harness";
import { jwt, oidc, pool } from "./samples";

const canary = "canary-7f3a9c";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pemKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
/** A part of the key that stands on one line. */
const keyLine = pemKey.split("\n")[3] ?? "";

throughEveryAdapterToEveryServer("a secret", (start, dialect) => {
  const folder = mkdtempSync(join(tmpdir(), "lifecycle-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "state.json");
  // One for all: it derives its key once, which takes a tenth of a second.
  const file = new StateFile(path, "lifecycle", "test", "a passphrase");

  /** The state as it lies on disk. */
  const stateText = ({ state }: World): string => {
    if (!state) throw new Error("there is no state");
    file.write(state);
    const text = readFileSync(path, "utf8");
    for (const { urn } of state.resources) expect(text).toContain(urn);
    return text;
  };

  /** Nothing that an operation shows or keeps may hold any of the secrets. */
  const expectNoSecret = (world: World, { result, log }: Outcome) => {
    const shown = JSON.stringify({ ...result, state: undefined }) + log.join("\n") + stateText(world);
    for (const secret of [canary, keyLine, world.simulator.poolsToken, world.simulator.clusterToken]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(shown).not.toContain(secret);
    }
  };

  const secretive = (more = {}) => only("AclAuthMethod", oidc({ oidcClientSecret: canary, ...more }));
  const signing = (more = {}) =>
    only("AclAuthMethod", oidc({ oidcClientAssertion: { keySource: "private_key", privateKey: { pemKey, keyId: "key" } }, ...more }));

  test.each([
    { what: "client secret", program: secretive, changed: { oidcScopes: ["groups"] } },
    // The document has no assertions.
    ...(dialect === "measured" ? [{ what: "private key of an assertion", program: signing, changed: { oidcScopes: ["groups"] } }] : []),
  ])("the $what stands in nothing that a whole life shows or keeps", async ({ program, changed }) => {
    const world = await start();
    for (const outcome of [
      await world.preview(program()),
      await world.up(program()),
      await world.up(program()),
      await world.refresh(),
      await world.preview(program(changed)),
      await world.up(program(changed)),
    ]) {
      expectNoSecret(world, outcome);
    }
    const stored = JSON.stringify(world.simulator.cluster.methods.get("sso"));
    expect(stored.includes(canary) || stored.includes(keyLine)).toBe(true);
    expectNoSecret(world, await world.destroy());
  });

  test("that others set on the server never comes into the state", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", oidc({ oidcClientSecret: "ours" })));
    world.simulator.cluster.rotateClientSecret("sso", canary);
    expectNoSecret(world, await world.refresh());
  });

  test.each([400, 403, 500, 200])("is removed from a response with status %s that repeats it", async (status) => {
    const world = await start();
    const repeated = [
      { program: secretive(), body: `refused: ${canary}` },
      { program: signing(), body: `refused: ${pemKey} and ${JSON.stringify(pemKey)}` },
      { program: signing(), body: `OIDCClientAssertion: can't parse the line ${keyLine}, nor ${pemKey.replaceAll("\n", " ")}` },
    ];
    for (const { program, body } of repeated) {
      world.simulator.faults.clear();
      world.simulator.faults.add({ method: "POST", fault: { kind: "status", status, body }, times: Number.POSITIVE_INFINITY });
      expectNoSecret(world, await world.fails("up", program));
    }
  });

  test("is not shown by an object that was made in part", async () => {
    const world = await start();
    const method = { ...world.simulator.cluster.methods.put({ Name: "sso" }), CreateIndex: 1, ModifyIndex: 1 };
    world.simulator.cluster.methods.delete("sso");
    const response = { ...method, Config: { ...method.Config, OIDCClientSecret: "redacted" } };
    world.simulator.faults.add({ method: "POST", fault: { kind: "malformed", body: JSON.stringify(response) } });
    const outcome = await world.fails("up", secretive());
    expect(outcome.errors).toContain("returned other values");
    expectNoSecret(world, outcome);
  });

  test("is not shown by the failure of a check beside it", async () => {
    const world = await start();
    const wrong = only("AclAuthMethod", { ...oidc({ oidcClientSecret: canary, oidcScopes: "no list", unknown: canary }) });
    const { errors, result, log } = await world.fails("up", wrong);
    expect(errors).toContain("config.oidcScopes");
    expect(JSON.stringify({ ...result, state: undefined }) + log.join()).not.toContain(canary);
  });

  test.each(["TTL", "MaxToken"])(
    "that stands in the words of a refusal, as %s does, hides neither which property is refused nor mangles them where it is short",
    async (oidcClientSecret) => {
      const world = await start();
      const { errors } = await world.fails("up", only("AclAuthMethod", oidc({ oidcClientSecret }, { maxTokenTtl: "30h" })));
      expect(errors).toContain("maxTokenTtl: ");
      expect(errors).toContain(oidcClientSecret === "TTL" ? "(not shown: " : "<secret>TTL");
      expect(errors).not.toContain(oidcClientSecret);
    },
  );

  test("that is a token is not in the error about it", async () => {
    const world = await start();
    const { simulator } = world;
    const echo = (token: string): Fault => ({ kind: "status", status: 401, body: `unknown token ${token}` });
    simulator.faults.add({ api: "cluster", fault: echo(simulator.clusterToken), times: 9 });
    simulator.faults.add({ api: "pools", fault: echo(simulator.poolsToken), times: 9 });
    for (const program of [only("AclAuthMethod", jwt()), only("AgentPool", pool())]) {
      const { errors, result, log } = await world.fails("up", program);
      expect(errors).toContain("unknown token <secret>");
      const shown = JSON.stringify({ ...result, state: undefined }) + log.join();
      for (const token of [simulator.clusterToken, simulator.poolsToken]) expect(shown).not.toContain(token);
    }
  });
});
