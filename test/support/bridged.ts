/** The state of a stack with Pulumi's Nomad provider. `seedTerraform` makes its policies, roles, auth methods and binding rules. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An output of `pulumi stack export`, with secrets whose ciphertexts contain "canary". */
export const bridgedFile = join(__dirname, "../fixtures/bridged/stack.json");

export interface BridgedEntry {
  readonly urn: string;
  readonly type: string;
  readonly dependencies?: readonly string[];
  readonly delete?: boolean;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

/** The content of the file, as a copy that a test can change. */
export function bridgedState(): { readonly deployment: { readonly resources: BridgedEntry[] } } {
  return JSON.parse(readFileSync(bridgedFile, "utf8"));
}
