import { dynamicAdapter, pluginAdapter } from "../support/adapters";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

// Fewer sequences than with measured servers, because most differences of the two dialects are in the cluster's objects.
testLifecycles(sizeOf({ quick: 5, full: 400 }), "dynamic", dynamicAdapter, "documented");
testLifecycles(sizeOf({ quick: 2, full: 100 }), "plugin", pluginAdapter, "documented");
