import { endLoginsBySignals } from "../configuration/cluster-login";
import { withVerbosity } from "../configuration/request-log";
import { EngineSiblings } from "../operation/siblings";
import { dynamicAdapter } from "./dynamic";

endLoginsBySignals();

/** The engine's address is an argument of its host's process. The engine may pass its own options before it. */
const engineAddress = process.argv.slice(2).findLast((argument) => /^[\w.]+:\d+$/.test(argument));

/** The adapter of all resources that the engine's host serves in this process. */
export const adapter = dynamicAdapter({
  processEnv: withVerbosity(process.env, process.argv.slice(2)),
  siblings: engineAddress ? new EngineSiblings(engineAddress) : undefined,
});
