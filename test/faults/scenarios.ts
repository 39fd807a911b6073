import type { Simulator, SimulatorOptions } from "../../testing/simulator";
import { samples } from "../kinds";
import { clientSecret, oidc, pool, token } from "../lifecycle/samples";
import { type Inputs, type Kind, nothing, only, type Program, type RunOptions, type TestStack } from "../support/stack";

/** One operation of the engine on objects of one kind. Each request meets each fault that can happen to it. */
export interface Scenario {
  readonly name: string;
  /** Makes the objects that the scenario's objects refer to. */
  readonly prepare?: (stack: TestStack) => void;
  /** Applied without faults beforehand. */
  readonly before?: Program;
  /** Changes by others before the operation, and its other conditions. */
  readonly meanwhile?: (stack: TestStack) => void;
  readonly command: "up" | "refresh" | "destroy";
  /** The program from the operation on. */
  readonly program: Program;
  readonly options?: (stack: TestStack) => RunOptions;
  /** An object with the identity that the program declares exists already. The provider finds it before a create, and adopts it. */
  readonly adopts?: true;
  /**
   * How a create is sent again if its response is lost. `the same`: with the same identifiers, so the server makes one object. `another`:
   * as a new create, and a message names the object that the first one may have made. Default: the create is not sent again.
   */
  readonly resends?: "the same" | "another";
  readonly servers?: SimulatorOptions;
  /** The operation is refused even without a fault, until this has been done. */
  readonly unblock?: (stack: TestStack) => void;
  /** The API's document lacks the kind, and so do documented servers. */
  readonly isBeyondDocument?: true;
  /** The result of a fault is not compared with the table: two resources work at once, or a replacement has results of its own. */
  readonly racing?: true;
}

const overwrite = { adopt: "overwrite" };
const method = (config: Inputs = {}, more: Inputs = {}) => oidc({ oidcClientSecret: clientSecret, ...config }, more);

/** Makes one object of others of each kind except AgentToken, and an agent in the pool. */
export function addTheirs({ cluster, pools }: Simulator): void {
  cluster.methods.put({ Name: "theirs", Config: { OIDCClientSecret: "their-secret" } });
  cluster.policies.put({ Name: "theirs", Rules: 'agent { policy = "write" }' });
  cluster.roles.put({ Name: "theirs", Policies: [{ Name: "admin" }] });
  cluster.tokens.put({ Name: "theirs", Policies: ["admin"] });
  cluster.rules.put({ AuthMethod: "theirs", BindType: "management" });
  const { id } = pools.put({ organization: "example-org", name: "theirs", allowedWorkspaceIds: ["ws-theirs"] });
  pools.addAgent(id, { status: "exited" });
}

const adoption = (kind: Kind, theirs: (simulator: Simulator) => void, program: Program): Scenario => ({
  name: `${kind}: adopt`,
  meanwhile: ({ simulator }) => theirs(simulator),
  command: "up",
  program,
  adopts: true,
});

const ofEveryKind = samples.flatMap(({ kind, faults, choosesId }): Scenario[] => {
  const { inputs, change, replacement, drift, theirs, prepare } = faults;
  const program = (more: Inputs = {}) => only(kind, { ...inputs, ...more });
  const before = program();
  const all: Scenario[] = [
    { name: `${kind}: create`, command: "up", program: before },
    {
      name: `${kind}: refresh`,
      before,
      meanwhile: ({ simulator }) => drift(simulator),
      command: "refresh",
      program: before,
    },
    { name: `${kind}: update`, before, command: "up", program: program(change) },
    { name: `${kind}: delete`, before, command: "destroy", program: nothing },
    ...(theirs ? [adoption(kind, theirs, program(overwrite))] : []),
    ...(replacement ? [{ name: `${kind}: replace, create first`, before, command: "up" as const, program: program(replacement) }] : []),
    {
      name: `${kind}: replace by force, delete first`,
      before: only(kind, inputs, { deleteBeforeReplace: true }),
      command: "up",
      program: only(kind, inputs, { deleteBeforeReplace: true }),
      options: (stack) => ({ replace: [stack.entry().urn] }),
    },
  ];
  return all.map((scenario) => ({ ...scenario, prepare, ...(choosesId && { resends: "the same" }) }));
});

const agentOf = (stack: TestStack, status: "busy" | "exited") => void stack.simulator.pools.addAgent(stack.entry().id, { status });
const agentsLeave = ({ simulator }: TestStack) => {
  const ours = simulator.pools.list().filter(({ name }) => name === "build");
  for (const { id } of ours) for (const agent of simulator.pools.agents(id)) simulator.pools.removeAgent(agent.id);
};
const theDefault = (name: string) => only("AclAuthMethod", method({}, { name, default: true }), { deleteBeforeReplace: true });
const defaultIs =
  (first: boolean): Program =>
  (declare) => {
    declare("AclAuthMethod", "a", method({}, { name: "a", default: first }));
    declare("AclAuthMethod", "b", method({}, { name: "b", default: !first }));
  };

const runners = "apool-runners000000001";
const preparePool = ({ simulator }: TestStack) =>
  void simulator.pools.put({ id: runners, organization: simulator.organization, name: "runners" });
/** The token of an agent. It has no update: each change makes another token. */
const agentToken = (description = "runners") =>
  only("AgentToken", { agentPoolId: runners, description }, { additionalSecretOutputs: ["token"] });
const ofAgentTokens = [
  { name: "AgentToken: create", command: "up", program: agentToken() },
  { name: "AgentToken: refresh", before: agentToken(), command: "refresh", program: agentToken() },
  { name: "AgentToken: replace, create first", before: agentToken(), command: "up", program: agentToken("others") },
  { name: "AgentToken: delete", before: agentToken(), command: "destroy", program: nothing },
] as const;

const all: readonly Scenario[] = [
  ...ofEveryKind,
  ...ofAgentTokens.map((scenario): Scenario => ({ ...scenario, prepare: preparePool, resends: "another", isBeyondDocument: true })),
  {
    name: "AgentPool: update, with workspaces that are not managed",
    before: only("AgentPool", pool()),
    meanwhile: ({ simulator: { pools } }) => {
      for (const { id, name } of pools.list()) if (name === "build") pools.update(id, { allowedWorkspaceIds: ["ws-build"] });
    },
    command: "up",
    program: only("AgentPool", pool({ name: "renamed" })),
  },
  {
    name: "AgentPool: delete, with agents that may be removed",
    before: only("AgentPool", pool({ forceDestroy: true })),
    meanwhile: (stack) => agentOf(stack, "exited"),
    command: "destroy",
    program: nothing,
  },
  {
    name: "AgentPool: delete, blocked by an agent",
    before: only("AgentPool", pool()),
    meanwhile: (stack) => agentOf(stack, "busy"),
    command: "destroy",
    program: nothing,
    unblock: agentsLeave,
  },
  {
    name: "AclToken: create, on servers that let nobody choose its identifiers",
    servers: { takesChosenTokens: false },
    command: "up",
    program: only("AclToken", token()),
    resends: "another",
  },
  {
    name: "AclToken: create, of type management",
    command: "up",
    program: only("AclToken", { name: "ci", type: "management" }),
    resends: "another",
  },
  { name: "AclAuthMethod: replace the default", before: theDefault("sso"), command: "up", program: theDefault("new"), racing: true },
  { name: "AclAuthMethod: the default moves", before: defaultIs(true), command: "up", program: defaultIs(false), racing: true },
];

/** The only kind whose operations meet faults, if one is chosen. */
const chosenKind = process.env.FAULTS_KIND;

export const isChosen = (kind: string) => chosenKind === undefined || kind === chosenKind;

export const scenarios = all.filter(({ name }) => isChosen(name.slice(0, name.indexOf(":"))));
if (scenarios.length === 0) throw new Error(`no scenario is of the kind ${chosenKind}`);
