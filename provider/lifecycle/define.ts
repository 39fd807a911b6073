import type * as z from "zod";
import type { StateOf } from "../model/state";
import { create } from "./create";
import type { Definition } from "./definition";
import { remove } from "./delete";
import type { CurrentObject, Kind } from "./kind";
import { list, read, readCurrent } from "./read";
import { defineResource, type Resource } from "./resource";
import { update } from "./update";

type Operation = "create" | "read" | "current" | "update" | "delete" | "list";

interface TypesOf<I extends z.ZodObject, O extends z.ZodObject, Object, Item, Before> {
  readonly News: z.output<I>;
  readonly Outputs: z.output<O>;
  readonly Known: StateOf<I, O>;
  readonly Object: Object;
  readonly Item: Item;
  readonly Before: Before;
}

/** The description of a kind of the cluster: what any resource has, and what the lifecycle has to know. */
type KindDefinition<I extends z.ZodObject, O extends z.ZodObject, Object, Item, Before> = Omit<Definition<I, O>, Operation> &
  Kind<TypesOf<I, O, Object, Item, Before>>;

/** The resource of a kind of objects of the cluster. */
export function defineKind<I extends z.ZodObject, O extends z.ZodObject, Object, Item, Before = undefined>(
  kind: KindDefinition<I, O, Object, Item, Before>,
): Resource {
  return defineResource<I, O, CurrentObject<z.output<O>, Object>>({
    ...kind,
    create: (context, news) => create<TypesOf<I, O, Object, Item, Before>>(context, kind, news),
    read: (context, id, known) => read(context, kind, id, known),
    current: (context, id, known) => readCurrent(context, kind, id, known),
    update: (context, id, writing) => update(context, kind, id, writing),
    delete: (context, id, known) => remove(context, kind, id, known),
    list: (context) => list(context, kind),
  });
}
