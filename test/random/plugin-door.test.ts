import { pluginDoor } from "../../tools/soak/plugin-door";
import { testLifecycles } from "./living";

// Fewer: each operation makes a connection and sends every call through it.
testLifecycles(200, "plugin", pluginDoor);
