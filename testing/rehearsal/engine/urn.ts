/**
 * The type of the stack's own resource. A URN, `urn:pulumi:STACK::PROJECT::[PARENTTYPE$]TYPE::NAME`, leaves it out of the types of parents.
 */

export const STACK_TYPE = "pulumi:pulumi:Stack";

export interface UrnParts {
  stack: string;
  project: string;
  /** The types of the parents and the resource itself, joined by "$". */
  qualifiedType: string;
  type: string;
  name: string;
}

export function parseUrn(urn: string): UrnParts {
  const match = /^urn:pulumi:(.*?)::(.*?)::(.*?)::(.*)$/s.exec(urn);
  if (match === null) throw new Error(`"${urn}" is not a URN: expected urn:pulumi:STACK::PROJECT::TYPE::NAME`);
  const [, stack = "", project = "", qualifiedType = "", name = ""] = match;
  return { stack, project, qualifiedType, type: qualifiedType.slice(qualifiedType.lastIndexOf("$") + 1), name };
}

export function makeUrn(stack: string, project: string, parent: string | undefined, type: string, name: string): string {
  const parentType = parent === undefined ? STACK_TYPE : parseUrn(parent).qualifiedType;
  const qualifiedType = parentType === STACK_TYPE ? type : `${parentType}$${type}`;
  return `urn:pulumi:${stack}::${project}::${qualifiedType}::${name}`;
}

/** A former name of the resource: a whole URN, or the parts that differ from the current one. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; stack?: string; project?: string; parent?: string; noParent?: boolean };

/** A resource by the parts of its URN, and by its former names. */
export interface UrnSource {
  stack: string;
  project: string;
  type: string;
  name: string;
  parent?: string | undefined;
  aliases: Alias[];
}

/**
 * Every URN that the resource may have in the old state. `formerly` maps a URN of this run to the alias by which it was found: a child of a
 * renamed parent had the old parent's type in its URN, and by convention its name began with the old parent's name.
 */
export function aliasUrns(resource: UrnSource, formerly: ReadonlyMap<string, string>): string[] {
  const own = resource.aliases.map((alias) => aliasUrn(resource, alias, formerly));
  const oldParent = resource.parent === undefined ? undefined : formerly.get(resource.parent);
  if (resource.parent === undefined || oldParent === undefined) return own;
  const parentName = parseUrn(resource.parent).name;
  const asChild = (type: string, name: string): string => {
    const oldName = name.startsWith(parentName) ? parseUrn(oldParent).name + name.slice(parentName.length) : name;
    return makeUrn(resource.stack, resource.project, oldParent, type, oldName);
  };
  const inherited = own.map((urn) => asChild(parseUrn(urn).type, parseUrn(urn).name));
  return [...own, asChild(resource.type, resource.name), ...inherited];
}

function aliasUrn(resource: UrnSource, alias: Alias, formerly: ReadonlyMap<string, string>): string {
  if ("urn" in alias) return alias.urn;
  const givenParent = alias.parent === undefined ? resource.parent : (formerly.get(alias.parent) ?? alias.parent);
  const parent = alias.noParent ? undefined : givenParent;
  return makeUrn(
    alias.stack || resource.stack,
    alias.project || resource.project,
    parent,
    alias.type || resource.type,
    alias.name || resource.name,
  );
}
