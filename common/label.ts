/** The words for a kind of objects, such as "ACL role". */

/** The words of a kind by its name: AclAuthMethod is "ACL auth method", and Namespace "namespace". */
export function wordsOf(kind: string): string {
  return kind
    .replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .replace(/^acl\b/, "ACL");
}

/** "an ACL role", "a namespace". The first letter decides, which is right for the words of all kinds. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
