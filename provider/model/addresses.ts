/** Checks of addresses. They report an error only if it is certain, and return undefined otherwise. */

/** The error of an address that servers send requests to. */
export function httpAddressProblem(text: string): string | undefined {
  if (text === "") return undefined;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  const host = authority?.slice(authority.lastIndexOf("@") + 1);
  if (!authority || !host || hasControls(text)) return "must be an address like https://idp.example.com";
  if (/\s/.test(authority)) return "must not have a space in its host";
  const port = host.startsWith("[")
    ? host.slice(host.indexOf("]") + 1)
    : host.slice(host.includes(":") ? host.lastIndexOf(":") : host.length);
  return /^(:\d*)?$/.test(port) ? undefined : "must have a number for its port";
}

/** The error of an address to which a browser is redirected. Any scheme is valid, because native programs register their own. */
export function redirectAddressProblem(text: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && !hasControls(text)
    ? undefined
    : "must be a whole address, like http://localhost:4649/oidc/callback";
}

function hasControls(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\x7f");
}
