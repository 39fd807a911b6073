import { dynamicAdapter } from "../support/adapters";
import { testLifecycles } from "./lifecycles";

// This is a separate file so that jest runs it on a second processor.
testLifecycles(1_000, "dynamic", dynamicAdapter);
