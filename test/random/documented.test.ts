import { dynamicDoor } from "../../tools/soak/engine";
import { pluginDoor } from "../../tools/soak/plugin-door";
import { testLifecycles } from "./living";

// Fewer than with measured servers, from which they differ in the cluster's objects alone.
testLifecycles(400, "dynamic", dynamicDoor, "documented");
testLifecycles(100, "plugin", pluginDoor, "documented");
