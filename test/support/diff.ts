/** The command `diff`, with files in a folder of the test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../cli/main";

let folder: string;

/** Gives each test of a file a folder. */
export function useFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "diff-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}

export function file(name: string, content: object): string {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

export async function diff(...args: string[]) {
  const [printed, complaints]: [string[], string[]] = [[], []];
  const io = { print: (text: string) => void printed.push(text), complain: (text: string) => void complaints.push(text) };
  const status = await run(["diff", ...args], io, new AbortController().signal);
  return { status, out: printed.join("\n"), errors: complaints.join("\n") };
}

export const method = { name: "sso", type: "OIDC", tokenLocality: "local", config: { listClaimMappings: { groups: "groups" } } };
export const rule = {
  authMethod: "sso",
  bindType: "role",
  bindName: "deployers",
  selector: "releases in list.groups",
  description: "Releases",
};
export const role = { name: "deployers", policies: ["deploy"] };
export const exported = (name: string, rules: object[], roles: object[] = [role], methods: object[] = [method]) =>
  file(name, { format: 1, objects: { AclAuthMethod: methods, AclRole: roles, AclBindingRule: rules } });

export async function between(before: string, after: string, ...args: string[]) {
  const { status, out } = await diff("--before", before, "--after", after, ...args);
  return { status, lines: out.split("\n").slice(0, -1) };
}
