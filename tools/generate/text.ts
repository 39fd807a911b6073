/** "clientSecret" as part of a type's name: "ClientSecret". */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The variable of a kind's description: "AclRole" is aclRole. */
export function variableOf(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}

/** The file of a kind, which its name gives: "AclRole" is in acl-role. */
export function fileOf(kind: string): string {
  return variableOf(kind).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name of an enumeration's value in SDKs: "global" is Global, "-name" NameDescending. */
export function enumName(value: string): string {
  return value.replace(/^-(.*)$/, "$1-descending").replace(/(^|[-_])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
