import { dynamicAdapter } from "../support/adapters";
import { testLifecycles } from "./lifecycles";

// A separate file, so jest runs it on a second processor.
testLifecycles(1_000, "dynamic", dynamicAdapter);
