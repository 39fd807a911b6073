/** The provider of a self-contained archive: the bundle starts here, in the archive's own Node. */
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";
import { serveEngine } from "../../cli/plugin";

declare module "node:module" {
  /** Writes the cache of compiled code now, and not at the end, which a killed process does not reach. From Node 22.10 on. */
  function flushCompileCache(): void;
}

// Loading makes one function of zod hot enough to be optimized. The optimizing compiler takes 5 MiB at its first use, and an idle provider
// has no other use for it.
setFlagsFromString("--no-opt");
serveEngine(() => {
  setFlagsFromString("--opt");
  // When the engine has got its first responses, and waits for the program.
  setTimeout(() => nodeModule.flushCompileCache(), 500).unref();
});
