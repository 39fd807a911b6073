import { pluginAdapter } from "../support/adapters";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

// Fewer sequences than with the dynamic adapter, because every call is written and read as a message, in the full tests over a connection.
testLifecycles(sizeOf({ quick: 5, full: 200 }), "plugin", pluginAdapter);
