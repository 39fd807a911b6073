import { endLoginsBySignals } from "../configuration/cluster-login";
import { withVerbosity } from "../configuration/request-log";
import { dynamicAdapter } from "./dynamic";

endLoginsBySignals();

/** The adapter of all resources that the engine's host serves in this process. */
export const adapter = dynamicAdapter({ processEnv: withVerbosity(process.env, process.argv.slice(2)) });
