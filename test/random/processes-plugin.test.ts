import { pluginDoor } from "../../tools/soak/plugin-door";
import { sizeOf } from "../support/extent";
import { testKilledProcesses } from "./living";

testKilledProcesses(sizeOf({ quick: 3, full: 25 }), "plugin", pluginDoor);
