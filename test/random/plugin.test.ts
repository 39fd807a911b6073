import { pluginAdapter } from "../support/adapters";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

// Fewer sequences than with the dynamic adapter, because each operation makes a connection and sends every call through it.
testLifecycles(sizeOf({ quick: 5, full: 200 }), "plugin", pluginAdapter);
