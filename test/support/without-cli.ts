import { hasCli } from "../../tools/engines/engines";
import { isFull } from "./extent";

/** The reason why tests don't use the Pulumi CLI, on which an operation takes seconds; undefined if they do. */
export function whyWithoutCli(): string | undefined {
  if (!isFull) return "this is left to npm run test:full";
  return hasCli() ? undefined : "there is no pulumi on PATH";
}
