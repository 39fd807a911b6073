import * as fc from "fast-check";
import type { FaultRule } from "../../provider/testing/simulator";
import { ownSecret } from "./objects";
import { type Kind, kinds, type Slot, type Wish } from "./program";

/** When the process of an operation ends. */
export type Death =
  /** At its call of the provider of this number, before it begins or once it was done: nobody keeps the answer, and no further call is made. */
  | { readonly call: number; readonly done: boolean }
  /** At its request of this number, before it arrives or once it took effect: nothing more gets through. */
  | { readonly request: number; readonly arrived: boolean };

/** One run of the engine. */
export interface OperationCommand {
  readonly do: "preview" | "up" | "refresh" | "destroy";
  readonly refresh: boolean;
  readonly parallel: number;
  /** The resource whose replacement is forced. */
  readonly replace?: Slot;
  readonly faults: readonly FaultRule[];
  /** Reads of the cluster answer what it held when the operation began. */
  readonly lag: boolean;
  readonly death?: Death;
  /** The configuration leads to other servers by mistake, where others have objects of the same names. */
  readonly elsewhere?: true;
  /** What a person sets for one run who gives up what the state has of an object. */
  readonly acceptMovedServer?: true;
}

/** What others do behind the program's back. A deed for which there is no object is not done. */
export type Deed =
  | { readonly do: "edit"; readonly slot: Slot; readonly how: number }
  | { readonly do: "delete"; readonly slot: Slot }
  /** Delete, and make another with the same content. */
  | { readonly do: "remake"; readonly slot: Slot }
  | { readonly do: "rotate the secret"; readonly slot: Slot }
  /** Make an object where the program wants one, with the same content or with another one. */
  | { readonly do: "take the place"; readonly slot: Slot; readonly same: boolean }
  | { readonly do: "make a default method" }
  /** A rule that refers to a method of this name, whether there is one or not. */
  | { readonly do: "leave a rule"; readonly of: string }
  | { readonly do: "start an agent"; readonly slot: Slot; readonly status: "busy" | "idle" | "exited" }
  | { readonly do: "back up the cluster" }
  /** The cluster becomes what it was at the last backup, its indexes and times too. */
  | { readonly do: "restore the cluster" };

export type Command =
  | { readonly do: "declare"; readonly slot: Slot; readonly wish: Wish }
  | { readonly do: "drop"; readonly slot: Slot }
  | { readonly do: "rename"; readonly slot: Slot; readonly alias: boolean }
  | { readonly do: "others"; readonly deed: Deed }
  | OperationCommand;

/** What happens, and what the person does who is told that an object stands in the way. */
export interface Sequence {
  readonly commands: readonly Command[];
  readonly wayOn: "adopt" | "remove";
  /** Where requests to the cluster are sent: "west" only follows "global", under indexes of its own. */
  readonly region: (typeof regions)[number];
}

export const regions = ["global", "west"] as const;

const slotNumbers = { AgentPool: 2, AclAuthMethod: 3, AclRole: 3, AclBindingRule: 3 } as const;

const slotOf = (kind: Kind): fc.Arbitrary<Slot> => fc.integer({ min: 1, max: slotNumbers[kind] }).map((number): Slot => `${kind}${number}`);
const anySlot = fc.constantFrom(...kinds).chain(slotOf);
const name = fc.constantFrom("a", "b", "c");
const maybe = <T>(values: fc.Arbitrary<T>, freq = 1) => fc.option(values, { nil: undefined, freq });

const options = {
  adopt: fc.constantFrom<(boolean | "overwrite")[]>(false, false, false, true, "overwrite"),
  deleteBeforeReplace: fc.constantFrom(false, false, false, true),
};

const wishes: { readonly [K in Kind]: fc.Arbitrary<Wish> } = {
  AgentPool: fc.record({
    ...options,
    kind: fc.constant("AgentPool"),
    name,
    organization: fc.constantFrom("example-org", "example-org", "other-org"),
    scoped: maybe(fc.boolean()),
    workspaces: maybe(fc.constantFrom<string[][]>([], ["ws-1"], ["ws-2", "ws-1"])),
    forceDestroy: fc.boolean(),
  }),
  AclAuthMethod: fc.record({
    ...options,
    kind: fc.constant("AclAuthMethod"),
    name,
    type: fc.constantFrom("OIDC", "JWT"),
    ttl: fc.constantFrom("1h", "60m", "2h0m0s"),
    isDefault: fc.boolean(),
    secret: maybe(fc.constantFrom(`${ownSecret}1`, `${ownSecret}2`), 2),
    scopes: fc.constantFrom<string[][]>([], ["groups"]),
    mapped: fc.constantFrom(false, false, true),
    after: maybe(slotOf("AclAuthMethod"), 1),
  }),
  AclRole: fc.record({
    ...options,
    kind: fc.constant("AclRole"),
    name,
    description: fc.constantFrom("", "described"),
    policies: fc.constantFrom(["read"], ["write", "read"], ["admin"]),
  }),
  AclBindingRule: fc.record({
    ...options,
    kind: fc.constant("AclBindingRule"),
    method: slotOf("AclAuthMethod"),
    description: fc.constantFrom("", "described"),
    selector: fc.constantFrom("", '"engineering" in list.groups'),
    bind: fc.constantFrom("role", "policy", "management"),
    role: slotOf("AclRole"),
  }),
};

const declaration = fc
  .constantFrom(...kinds)
  .chain((kind): fc.Arbitrary<Command> => fc.record({ do: fc.constant("declare"), slot: slotOf(kind), wish: wishes[kind] }));

const fault = fc.constantFrom<FaultRule["fault"][]>(
  { kind: "refuse" },
  { kind: "drop-after" },
  { kind: "drop-after" },
  { kind: "cut-off" },
  { kind: "malformed" },
  { kind: "malformed", body: "{}" },
  { kind: "status", status: 401, body: "no" },
  { kind: "status", status: 403, body: "Permission denied" },
  { kind: "status", status: 404, body: "" },
  { kind: "status", status: 404, body: "<html><body>404 not found</body></html>", contentType: "text/html" },
  { kind: "status", status: 408, body: "" },
  { kind: "status", status: 409, body: "conflict" },
  { kind: "status", status: 422, body: "no" },
  { kind: "status", status: 429, headers: { "retry-after": "3" } },
  { kind: "status", status: 500, body: "rpc error: no leader" },
  { kind: "status", status: 502, body: "<html><body>bad gateway</body></html>", contentType: "text/html" },
  { kind: "status", status: 503, body: "" },
);

const faultRule: fc.Arbitrary<FaultRule> = fc
  .record({
    method: maybe(fc.constantFrom("GET", "POST", "POST", "PATCH", "DELETE"), 3),
    skip: fc.nat({ max: 4 }),
    // Once, twice, or more often than a request is repeated.
    times: fc.constantFrom(1, 1, 2, 9),
    fault,
  })
  .map(({ method, ...rule }) => {
    // A success is one whatever its body says, so that of a delete in which nothing was deleted would be believed.
    const isSuccess = rule.fault.kind === "malformed" && rule.fault.body !== undefined;
    const met = isSuccess && (method === undefined || method === "DELETE") ? "GET" : method;
    return met === undefined ? rule : { ...rule, method: met };
  });

const death: fc.Arbitrary<Death> = fc.oneof(
  fc.record({ call: fc.integer({ min: 1, max: 6 }), done: fc.boolean() }),
  fc.record({ request: fc.nat({ max: 10 }), arrived: fc.boolean() }),
);

const quiet = { faults: [], lag: false } as const;

const operation = fc
  .record({
    do: fc.constantFrom<OperationCommand["do"][]>("up", "up", "up", "up", "refresh", "preview", "destroy"),
    refresh: fc.boolean(),
    parallel: fc.constantFrom(1, 4),
    replace: maybe(anySlot, 1),
    trouble: fc.oneof(
      fc.constant(quiet),
      fc.record({ faults: fc.array(faultRule, { minLength: 1, maxLength: 3 }), lag: fc.constantFrom(false, false, false, true) }),
      fc.record({ faults: fc.constant([]), lag: fc.constantFrom(false, false, true), death }),
    ),
    elsewhere: maybe(fc.constant<true>(true), 1),
  })
  .map(
    ({ trouble, replace, elsewhere, ...rest }): Command => ({
      ...rest,
      ...trouble,
      // An update would rightly begin to make things there.
      ...(rest.do === "up" ? replace && { replace } : elsewhere && { elsewhere }),
    }),
  );

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ do: fc.constant("edit"), slot: anySlot, how: fc.nat({ max: 2 }) }),
  fc.record({ do: fc.constant("delete"), slot: anySlot }),
  fc.record({ do: fc.constant("remake"), slot: anySlot }),
  fc.record({ do: fc.constant("rotate the secret"), slot: slotOf("AclAuthMethod") }),
  fc.record({ do: fc.constant("take the place"), slot: anySlot, same: fc.boolean() }),
  fc.constant({ do: "make a default method" }),
  fc.record({ do: fc.constant("leave a rule"), of: name }),
  fc.record({ do: fc.constant("start an agent"), slot: slotOf("AgentPool"), status: fc.constantFrom("busy", "idle", "exited") }),
  fc.constant({ do: "back up the cluster" }),
  fc.constant({ do: "restore the cluster" }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: declaration },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop"), slot: anySlot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rename"), slot: anySlot, alias: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("others"), deed }) },
  { weight: 5, arbitrary: operation },
);

/** A program to begin with, an up, and then anything in any order. */
export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    program: fc.array(declaration, { minLength: 1, maxLength: 6 }),
    firstUp: operation,
    rest: fc.array(command, { maxLength: 10, size: "max" }),
    wayOn: fc.constantFrom("adopt", "remove"),
    region: fc.constantFrom(...regions),
  })
  .map(({ program, firstUp, rest, ...circumstances }) => ({ commands: [...program, firstUp, ...rest], ...circumstances }));

/** The same, but that the first operation is an up whose processes are killed, and nothing else is in its way. */
export const killedSequence: fc.Arbitrary<Sequence> = fc.record({ any: sequence, death }).map(({ any, death }) => {
  const first = any.commands.findIndex(({ do: what }) => what === "up" || what === "refresh" || what === "preview" || what === "destroy");
  const killed: Command = { ...quiet, do: "up", refresh: false, parallel: 4, death };
  return { ...any, commands: any.commands.with(first, killed) };
});

/** The sequence as a list of lines that a person can follow. */
export function inWords({ commands, wayOn, region }: Sequence): string {
  const circumstances = `(through the region ${region}; a person who is told that an object stands in the way would ${wayOn} it)`;
  return [...commands.map(line), circumstances].map((text, index) => `${String(index + 1).padStart(3)}. ${text}`).join("\n");
}

function line(command: Command): string {
  if (command.do === "declare") return `declare ${command.slot}: ${words(command.wish)}`;
  if (command.do === "others") return `others ${words(command.deed)}`;
  const { do: what, ...rest } = command;
  return `${what} ${words(rest)}`;
}

/** "slot=AclRole1 how=2", without what says nothing. */
function words(values: object): string {
  return Object.entries(values)
    .filter(([key, value]) => key !== "kind" && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
