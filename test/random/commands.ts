import * as fc from "fast-check";
import type { FaultRule } from "../../testing/simulator";
import { type Declaration, kinds, type RandomKindName, randomKind } from "./kinds";
import { maybe, name, slotOf as slotAmong } from "./kinds/arbitraries";
import type { Slot } from "./kinds/kind";

/** The point at which the process of an operation is killed. */
export type Kill =
  /** At the create, read, update or delete of this number, before it begins or after it was done. The result is lost. No other follows. */
  | { readonly call: number; readonly done: boolean }
  /** At the request of this number, before it arrives or after it took effect. No further request arrives. */
  | { readonly request: number; readonly arrived: boolean };

/** One run of the engine. */
export interface OperationCommand {
  readonly do: "preview" | "up" | "refresh" | "destroy";
  readonly refresh: boolean;
  readonly parallel: number;
  /** The resource whose replacement is forced. */
  readonly replace?: Slot;
  readonly faults: readonly FaultRule[];
  readonly kill?: Kill;
  /** The configuration names wrong servers, where others have objects of the same names. */
  readonly elsewhere?: true;
  /** Set for one run to remove lost objects from the state. */
  readonly acceptMovedServer?: true;
}

/** A change by others, outside of the program. A change of an object does nothing if the object does not exist. */
export type OutOfBandChange =
  | { readonly do: "edit"; readonly slot: Slot; readonly how: number }
  | { readonly do: "delete"; readonly slot: Slot }
  /** Delete, and create another one with similar content. */
  | { readonly do: "remake"; readonly slot: Slot }
  | { readonly do: "rotate the secret"; readonly slot: Slot }
  /** Create an object like a declared one: with its name, if it has one, and with similar or other content. */
  | { readonly do: "take the place"; readonly slot: Slot; readonly same: boolean }
  | { readonly do: "make a default method" }
  /** A rule that refers to a method of this name, which need not exist. */
  | { readonly do: "leave a rule"; readonly of: string }
  | { readonly do: "start an agent"; readonly slot: Slot; readonly status: "busy" | "idle" | "exited" }
  /** Two hours: tokens with a lifetime of an hour end. */
  | { readonly do: "let time pass" }
  | { readonly do: "back up the cluster" }
  /** The cluster gets the objects, indexes and times of the last backup. */
  | { readonly do: "restore the cluster" };

export type Command =
  | { readonly do: "declare"; readonly slot: Slot; readonly declaration: Declaration }
  | { readonly do: "drop"; readonly slot: Slot }
  | { readonly do: "rename"; readonly slot: Slot; readonly alias: boolean }
  | { readonly do: "others"; readonly change: OutOfBandChange }
  | OperationCommand;

/** The commands of a lifecycle, and how conflicts with existing objects are resolved. */
export interface Sequence {
  readonly commands: readonly Command[];
  readonly resolution: "adopt" | "remove";
  /** Whether the servers let the creator of a token choose its identifiers. */
  readonly takesChosenTokens: boolean;
}

const slotOf = (kind: RandomKindName): fc.Arbitrary<Slot> => slotAmong(kind, randomKind(kind).slots);
const anySlot = fc.constantFrom(...kinds).chain(slotOf);

const declare = fc.constantFrom(...kinds).chain((kind): fc.Arbitrary<Command> => {
  return fc.record({ do: fc.constant("declare"), slot: slotOf(kind), declaration: randomKind(kind).declaration });
});

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
    // The fault occurs once, twice, or more often than the provider tries again.
    times: fc.constantFrom(1, 1, 2, 9),
    fault,
  })
  .map(({ method, ...rule }) => {
    // The body of a successful delete is not read, so a delete without effect would count as done.
    const isSuccess = rule.fault.kind === "malformed" && rule.fault.body !== undefined;
    const met = isSuccess && (method === undefined || method === "DELETE") ? "GET" : method;
    return met === undefined ? rule : { ...rule, method: met };
  });

const kill: fc.Arbitrary<Kill> = fc.oneof(
  fc.record({ call: fc.integer({ min: 1, max: 6 }), done: fc.boolean() }),
  fc.record({ request: fc.nat({ max: 10 }), arrived: fc.boolean() }),
);

const quiet = { faults: [] } as const;

const operation = fc
  .record({
    do: fc.constantFrom<OperationCommand["do"][]>("up", "up", "up", "up", "refresh", "preview", "destroy"),
    refresh: fc.boolean(),
    parallel: fc.constantFrom(1, 4),
    replace: maybe(anySlot, 1),
    disruption: fc.oneof(
      fc.constant(quiet),
      fc.record({ faults: fc.array(faultRule, { minLength: 1, maxLength: 3 }) }),
      fc.record({ faults: fc.constant([]), kill }),
    ),
    elsewhere: maybe(fc.constant<true>(true), 1),
  })
  .map(
    ({ disruption: failure, replace, elsewhere, ...rest }): Command => ({
      ...rest,
      ...failure,
      // An up never gets wrong servers, because it would rightly create objects on them.
      ...(rest.do === "up" ? replace && { replace } : elsewhere && { elsewhere }),
    }),
  );

const change: fc.Arbitrary<OutOfBandChange> = fc.oneof(
  fc.record({ do: fc.constant("edit"), slot: anySlot, how: fc.nat({ max: 2 }) }),
  fc.record({ do: fc.constant("delete"), slot: anySlot }),
  fc.record({ do: fc.constant("remake"), slot: anySlot }),
  fc.record({ do: fc.constant("rotate the secret"), slot: slotOf("AclAuthMethod") }),
  fc.record({ do: fc.constant("take the place"), slot: anySlot, same: fc.boolean() }),
  fc.constant({ do: "make a default method" }),
  fc.record({ do: fc.constant("leave a rule"), of: name }),
  fc.record({ do: fc.constant("start an agent"), slot: slotOf("AgentPool"), status: fc.constantFrom("busy", "idle", "exited") }),
  fc.constant({ do: "let time pass" }),
  fc.constant({ do: "back up the cluster" }),
  fc.constant({ do: "restore the cluster" }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: declare },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop"), slot: anySlot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rename"), slot: anySlot, alias: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("others"), change }) },
  { weight: 5, arbitrary: operation },
);

/** A program, an operation, which is mostly an up, and then random commands. */
export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    program: fc.array(declare, { minLength: 1, maxLength: 6 }),
    firstUp: operation,
    rest: fc.array(command, { maxLength: 10, size: "max" }),
    resolution: fc.constantFrom("adopt", "remove"),
    takesChosenTokens: fc.constantFrom(true, true, false),
  })
  .map(({ program, firstUp, rest, ...circumstances }) => ({ commands: [...program, firstUp, ...rest], ...circumstances }));

/** The sequence as a readable list. */
export function inWords({ commands, resolution, takesChosenTokens }: Sequence): string {
  const servers = takesChosenTokens ? "" : "on servers that choose the identifiers of tokens themselves, ";
  const circumstances = `(${servers}an existing object that causes a conflict is resolved by ${resolution})`;
  return [...commands.map(line), circumstances].map((text, index) => `${String(index + 1).padStart(3)}. ${text}`).join("\n");
}

function line(command: Command): string {
  if (command.do === "declare") return `declare ${command.slot}: ${words(command.declaration)}`;
  if (command.do === "others") return `others ${words(command.change)}`;
  const { do: what, ...rest } = command;
  return `${what} ${words(rest)}`;
}

/** "slot=AclRole1 how=2", without empty values. */
function words(values: object): string {
  return Object.entries(values)
    .filter(([key, value]) => key !== "kind" && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
