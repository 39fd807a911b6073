import * as z from "zod";
import { record } from "../../common/record";
import { isRecord } from "../../common/unknown";
import { type Field, type Fields, type Properties, type Resource, resources } from "../../provider/internal";
import { CommandError } from "../command-line";
import { jsonOf } from "../input";
import { contentOf, type Inventory, inOrder, inventoryObject, resourceOf } from "./inventory";

/** The version of the export's form. Later versions of this package read it, too. */
const format = 1;

const object = record(z.unknown());

const exported = z.object({
  format: z.literal(format, `must be ${format}: another version of this package wrote it`),
  objects: record(z.array(object)),
  selection: z.string().optional(),
  incomplete: z
    .array(
      z.object({
        kind: z.string(),
        organization: z.string().optional(),
        reason: z.enum(["denied", "unconfigured", "failed"]),
        message: z.string().default(""),
      }),
    )
    .default([]),
});

export interface ExportOptions {
  /** Includes ids, the servers' fields (such as addresses, indexes, hashes and times), and the messages of gaps. Default: false. */
  readonly isFull?: boolean;
  /** The kinds that were read. Default: all of them. */
  readonly read?: readonly Resource[];
  /** The options by which objects were left out. */
  readonly selection?: string | undefined;
}

/** An inventory as JSON, always the same for the same objects: sorted by kind, name and content, all inputs with their defaults. */
export function writeExport({ objects, gaps }: Inventory, { isFull = false, read = resources, selection }: ExportOptions = {}): string {
  const kinds = read.filter(({ kind }) => !gaps.some((gap) => gap.kind === kind) || objects.some((one) => one.kind === kind));
  const written = kinds.map((resource) => {
    const ofKind = inOrder(objects.filter(({ kind }) => kind === resource.kind));
    return [
      resource.kind,
      ofKind.map((one) => sorted(isFull ? { id: one.id, ...one.outputs } : withSortedSets(resource.inputs, contentOf(one)))),
    ];
  });
  const incomplete = gaps.map(({ message, ...gap }) => (isFull ? { ...gap, message } : gap));
  const whole = {
    format,
    objects: Object.fromEntries(written),
    ...(selection !== undefined && { selection }),
    ...(incomplete.length > 0 && { incomplete }),
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** Reads the output of `pulumi-agentpool-acl export`. */
export function parseExport(text: string, source: string): Inventory {
  const parsed = exported.safeParse(jsonOf(text, source));
  if (!parsed.success) {
    throw new CommandError(`${source} is not the output of \`pulumi-agentpool-acl export\`: ${z.prettifyError(parsed.error)}`);
  }
  const objects = Object.entries(parsed.data.objects).flatMap(([kind, all]) => {
    const resource = resourceOf(kind);
    if (!resource && all.length > 0) {
      throw new CommandError(`${source} has objects of the kind ${JSON.stringify(kind)}, which this version does not know.`);
    }
    const known = (id: unknown) => ({ id: typeof id === "string" ? id : undefined });
    return resource ? all.map(({ id, ...outputs }) => inventoryObject(resource, outputs, known(id))) : [];
  });
  const { incomplete, selection, objects: byKind } = parsed.data;
  return {
    ...{ source, objects: inOrder(objects), gaps: incomplete, kinds: Object.keys(byKind) },
    ...(selection !== undefined && { selection, notes: [`${source} lacks the objects that ${selection} leaves out`] }),
  };
}

/** Sorts lists without an order, such as a role's policies, because servers keep the order of the write. */
function withSortedSets(properties: Fields, values: Properties): Properties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sortedSets(properties.get(name), value)]));
}

function sortedSets(field: Field | undefined, value: unknown): unknown {
  if (field?.traits.set && Array.isArray(value)) return [...new Set(value)].sort();
  return field?.shape.kind === "object" && isRecord(value) ? withSortedSets(field.shape.properties, value) : value;
}

/** Values with the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
