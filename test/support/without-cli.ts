import { hasCli } from "../../tools/engines/engines";
import { isFull } from "./extent";

/** Why nothing runs on the Pulumi CLI, where each operation takes seconds; undefined where it does. */
export function whyWithoutCli(): string | undefined {
  if (!isFull) return "this is left to npm run test:full";
  return hasCli() ? undefined : "there is no pulumi on PATH";
}
