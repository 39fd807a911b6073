/** Both sides of a change as the files that the command reads. */
import { secretSignature, signatureKey, unknownMarker } from "../../../provider/adapters/markers";
import { pluginToken } from "../../../provider/configuration/tokens";
import type { Change, Hidden } from "./draw";
import { linksAfter, linksBefore } from "./links";
import { isSame, kinds, type Properties, partAt, type Thing, withPart } from "./parts";

export type Side = "before" | "after";

/** The files, by the options of the command. */
export type Written = { readonly preview: object } | { readonly before: object; readonly after: object };

export function written(change: Change): Written {
  if (change.form === "preview") return { preview: previewOf(change) };
  return { before: fileOf(change, "before"), after: fileOf(change, "after") };
}

/** Whether a part of an object is hidden on a side: it exists there, and is one of the hidden parts. */
export function isHidden(thing: Thing, { urn, path, only }: Hidden, side: Side): boolean {
  return urn === thing.urn && (only ?? side) === side && partAt(thing.properties, path) !== undefined;
}

/** Whether an update leaves an object as it is, as far as a preview can know. Parts that are secret on both sides are then equal. */
export function isUntouched({ before, after, hidden }: Change, urn: string): boolean {
  const [was, is] = [before, after].map((things) => things.find((one) => one.urn === urn));
  return was !== undefined && isSame(was, is) && !hidden.some((one) => one.urn === urn && (one.isUnknown || one.only !== undefined));
}

function masked(thing: Thing, side: Side, { hidden }: Change, mark: (one: Hidden) => unknown): Properties {
  return (
    hidden
      .filter((one) => isHidden(thing, one, side))
      // A hidden part hides everything within it.
      .toSorted((a, b) => b.path.length - a.path.length)
      .reduce((properties, one) => withPart(properties, one.path, mark(one)), thing.properties)
  );
}

const lifetimes: Readonly<Record<string, number>> = { "10m": 600_000, "1h": 3_600_000 };
const far = Date.parse("2998-01-01T00:00:00Z");

/** The properties that a server adds to an object. */
function outputsOf(change: Change, thing: Thing, side: Side, secret: unknown): Properties {
  const { kind, id, properties, hasEnded } = thing;
  if (kind !== "AclToken") return {};
  const lifetime = lifetimes[String(properties.expirationTtl)];
  const end = hasEnded ? "2020-01-01T00:00:00Z" : lifetime && new Date(far + lifetime).toISOString();
  const links = side === "before" ? linksBefore(change.before, thing) : linksAfter(change.before, change.after, thing);
  const roles = links.flatMap((link) =>
    change[side].flatMap((one) => (one.kind === "AclRole" && one.id === link ? [{ id: link, name: one.properties.name }] : [])),
  );
  const areHidden = change.hidden.some((one) => one.path[0] === "roles" && isHidden(thing, one, side));
  return {
    accessorId: id,
    secretId: secret,
    createTime: "2019-12-31T00:00:00Z",
    ...(end && { expirationTime: end }),
    linkedRoles: areHidden ? secret : roles,
  };
}

function previewOf(change: Change): object {
  const { before, after } = change;
  const steps = [...new Set([...before, ...after].map(({ urn }) => urn))].flatMap((urn): object[] => {
    const [was, is] = [before, after].map((things) => things.find((one) => one.urn === urn));
    const known = ({ kind }: Thing) => ({ urn, type: pluginToken(kind) });
    const inputs = was && masked(was, "before", change, () => "[secret]");
    const oldState = was && { ...known(was), id: was.id, inputs, outputs: { ...inputs, ...outputsOf(change, was, "before", "[secret]") } };
    const mark = ({ isUnknown }: Hidden) => (isUnknown ? unknownMarker : "[secret]");
    const newState = is && { ...known(is), inputs: masked(is, "after", change, mark) };
    if (!was || !is) return [was ? { op: "delete", urn, oldState } : { op: "create", urn, newState }];
    if (was.id === is.id) return [{ op: isUntouched(change, urn) ? "same" : "update", urn, oldState, newState }];
    return ["create-replacement", "replace", "delete-replaced"].map((op) => {
      return { op, urn, oldState, ...(op !== "delete-replaced" && { newState }) };
    });
  });
  return { steps };
}

function fileOf(change: Change, side: Side): object {
  const things = change[side];
  if (change.form === "state") {
    const secret = { [signatureKey]: secretSignature, ciphertext: "x" };
    const resources = things.map((thing) => {
      const outputs = { ...masked(thing, side, change, () => secret), ...outputsOf(change, thing, side, secret) };
      return { urn: thing.urn, type: pluginToken(thing.kind), id: thing.id, outputs };
    });
    return { version: 3, deployment: { resources } };
  }
  const isFull = change.form === "full export";
  const objects = kinds.map((kind) => {
    const all = things.filter((one) => one.kind === kind);
    const shown = (thing: Thing) => masked(thing, side, change, () => "[secret]");
    return [
      kind,
      all.map((thing) => ({ ...(isFull && { id: thing.id, ...outputsOf(change, thing, side, "[secret]") }), ...shown(thing) })),
    ];
  });
  return { format: 1, objects: Object.fromEntries(objects) };
}
