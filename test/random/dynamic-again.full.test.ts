import { dynamicAdapter } from "../../tools/soak/engine";
import { testLifecycles } from "./living";

// A file of its own, so that a second processor takes it.
testLifecycles(1_000, "dynamic", dynamicAdapter);
