/** The variable of a kind's description: "AclRole" is aclRole. */
export function variableOf(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}

/** The file of a kind, which its name gives: "AclRole" is in acl-role. */
export function fileOf(kind: string): string {
  return variableOf(kind).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
