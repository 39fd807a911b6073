import { testLifecycles } from "./living";
import { pluginDoor } from "./plugin-door";

// Fewer: each operation makes a connection and sends every call through it.
testLifecycles(200, "plugin", pluginDoor);
