import { dynamicDoor } from "../../tools/soak/engine";
import { pluginDoor } from "../../tools/soak/plugin-door";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./living";

// Fewer than with measured servers, from which they differ in the cluster's objects alone.
testLifecycles(sizeOf({ quick: 60, full: 400 }), "dynamic", dynamicDoor, "documented");
testLifecycles(sizeOf({ quick: 10, full: 100 }), "plugin", pluginDoor, "documented");
