/** Helpers that define the functions for look-ups. The description of a kind lists its functions in `lookUps`. */
import * as z from "zod";
import { capitalized, withArticle, wordsOf } from "../../common/label";
import { field } from "../model/fields";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import { checkedFunction, defineFunction, type FunctionDefinition, orMissing, type ProviderFunction } from "./definition";

export const nonEmpty = () => z.string().min(1, "must not be empty");

/** A look-up by the name alone. @param noun what descriptions call an object: "policy" */
export const named = (noun: string) => ({ by: "its name", inputs: z.object({ name: field(nonEmpty(), `Name of the ${noun}.`) }) });

type Definition<I extends z.ZodObject, O extends z.ZodObject> = Omit<FunctionDefinition<I, O>, "name" | "description">;

interface Getter<I extends z.ZodObject, O extends z.ZodObject> extends Definition<I, O> {
  /** The end of "Looks up one ACL role by ...". */
  readonly by: string;
  /** A further sentence of the description. */
  readonly note?: string;
  /** The end of "the cluster has no ACL role ...". Default: its name or ID. */
  readonly missing?: string;
}

/** The function that looks up one object: `getRole` for AclRole. */
export function getter<I extends z.ZodObject, O extends z.ZodObject>(kind: string, { by, note, missing, ...rest }: Getter<I, O>) {
  const [name, label] = [`get${nounOf(kind)}`, wordsOf(kind)];
  const which = ({ name, id }: Properties) => (name === undefined ? `with the ID ${JSON.stringify(id)}` : `named ${JSON.stringify(name)}`);
  return defineFunction({
    ...rest,
    name,
    description: `Looks up one ${label} by ${by}. It fails when there is none.${note ? ` ${note}` : ""}`,
    run: (context, inputs: z.output<I>) => orMissing(name, `${label} ${missing ?? which(inputs)}`, () => rest.run(context, inputs)),
  });
}

interface Lister<Many extends string, I extends z.ZodObject, Item extends z.ZodObject>
  extends Pick<Definition<I, Item>, "source" | "inputs"> {
  /** The property of the result: "roles". */
  readonly many: Many;
  /** The end of "Lists the ACL roles ...". */
  readonly of: string;
  readonly item: Item;
  readonly run: (context: CallContext, inputs: z.output<I>) => Promise<readonly z.input<Item>[]>;
}

/** The function that lists the objects: `listRoles` for AclRole. */
export function lister<Many extends string, I extends z.ZodObject, Item extends z.ZodObject>(
  kind: string,
  { many, of, item, run, ...rest }: Lister<Many, I, Item>,
): ProviderFunction<Record<Many, z.output<Item>[]>> {
  const [one, several] = [wordsOf(nounOf(kind)), wordsOf(capitalized(many))];
  const items = field(z.array(field(item, `${capitalized(withArticle(one))}.`)), `The ${several.replace(/.* /, "")}.`);
  // A record with a literal key has a type with that key, unlike an object with a computed property.
  const result = z.record(z.literal(many), items);
  const facts = {
    name: `list${capitalized(many)}`,
    description: `Lists the ${wordsOf(kind).replace(one, several)} ${of}.`,
    outputs: z.object({ [many]: items }),
  };
  return checkedFunction({ ...rest, ...facts }, async (context, inputs) => result.parse({ [many]: await run(context, inputs) }));
}

/** "Role" for AclRole. */
function nounOf(kind: string): string {
  return kind.replace(/^Acl(?=[A-Z])/, "");
}
