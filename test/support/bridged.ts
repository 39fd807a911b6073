/** The state of a stack with Pulumi's Nomad provider. `seedTerraform` has the servers that it is of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What `pulumi stack export` writes, with secrets whose ciphertexts have "canary". */
export const bridgedFile = join(__dirname, "../fixtures/bridged/stack.json");

export interface BridgedEntry {
  readonly urn: string;
  readonly type: string;
  readonly dependencies?: readonly string[];
  readonly delete?: boolean;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

/** Its content, to change it. */
export function bridgedState(): { readonly deployment: { readonly resources: BridgedEntry[] } } {
  return JSON.parse(readFileSync(bridgedFile, "utf8"));
}
