/** The checks that warn about a program change nothing: without the checks, every operation sends the same requests. */
import { OperationState } from "../../provider/operation/operation-state";
import { everything } from "./contents";
import { nothing, type Program, throughEveryAdapter } from "./harness";
import { oidc, policy, role, rule } from "./samples";

const mapped = { claimMappings: { team: "team" } };
const deny = 'namespace "prod-*" { policy = "deny" }';

/** A program that causes several warnings. */
const program =
  (names: { readonly policy: string; readonly method: string }): Program =>
  (declare) => {
    const guard = declare("AclPolicy", "guard", policy({ name: names.policy, rules: deny }));
    const api = declare("AclPolicy", "api", policy({ name: "api", rules: 'namespace "prod-api" { policy = "write" }' }));
    declare("AclRole", "dev", role({ policies: [guard.output("name"), api.output("name")] }));
    const sso = declare("AclAuthMethod", "sso", oidc(mapped, { name: names.method }));
    for (const description of ["one", "other"])
      declare("AclBindingRule", description, rule({ authMethod: sso.output("name"), selector: "value.tean == ops", description }));
  };

throughEveryAdapter("a program with warnings", (start) => {
  afterEach(() => jest.restoreAllMocks());

  test("sends the same requests and leaves the same objects without the checks", async () => {
    const run = async () => {
      const stack = await start();
      const operations = [
        await stack.up(program({ policy: "guard", method: "sso" })),
        await stack.preview(program({ policy: "other", method: "second" })),
        await stack.up(program({ policy: "other", method: "second" })),
        await stack.up(nothing),
      ];
      const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
      const sent = operations.map(({ requests }) => requests.map(({ method, path }) => `${method} ${path.replace(ids, "ID")}`).sort());
      const changes = operations.map((one) => one.changes);
      return { warnings: operations.flatMap((one) => one.warnings), did: { sent, changes, left: everything(stack.simulator) } };
    };
    const whole = await run();
    expect(whole.warnings.join()).toMatch(/value\.tean/);
    expect(whole.warnings.join()).toMatch(/has the same authMethod/);
    expect(whole.warnings.join()).toMatch(/the deny .* has no effect/);
    const declare = jest.spyOn(OperationState.prototype, "declare").mockReturnValue([]);
    const without = await run();
    expect(declare).toHaveBeenCalled();
    expect(without.warnings).toEqual([]);
    expect(without.did).toEqual(whole.did);
  });
});
