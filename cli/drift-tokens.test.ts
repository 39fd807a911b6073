/** The command that compares a state with the servers: the tokens of the cluster. */
import { type CommandScene, commandScene, seedOne } from "../test/support/commands";
import type { Simulator } from "../testing/simulator";

let scene: CommandScene;
let simulator: Simulator;

beforeEach(async () => {
  scene = await commandScene();
  ({ simulator } = scene);
  seedOne(simulator);
});

afterEach(() => scene.stop());

it.each([
  ["the rest is equal", []],
  ["another role was taken away", ["ops"]],
])("shows the IDs of a token's roles if others have made a role anew under its name, and %s", async (_, more) => {
  const { cluster } = simulator;
  const [dev] = cluster.roles.list();
  const others = more.map((Name) => cluster.roles.put({ Name, Policies: [] }).ID);
  const { AccessorID } = cluster.tokens.put({ Name: "ci", Roles: [dev?.ID ?? "", ...others].map((ID) => ({ ID })) });
  const state = await scene.stateFile();
  cluster.roles.delete(dev?.ID ?? "");
  const theirs = cluster.roles.put({ Name: "dev", Policies: [{ Name: "admins" }] });
  cluster.tokens.put({ AccessorID, Roles: [{ ID: theirs.ID }] });
  const { status, out } = await scene.command("drift", "--state", state);
  expect([status, out]).toEqual([
    3,
    expect.stringContaining(`changed\n    roles: ${JSON.stringify([dev?.ID, ...others])} -> ["${theirs.ID}"]\n`),
  ]);
  expect(out).not.toContain("only its hash");
});
