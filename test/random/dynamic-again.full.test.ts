import { dynamicAdapter } from "../../tools/in-process/adapters";
import { testLifecycles } from "./lifecycles";

// A separate file, so that jest runs it on a second processor.
testLifecycles(1_000, "dynamic", dynamicAdapter);
