import { pluginDoor } from "../../tools/soak/plugin-door";
import { testKilledProcesses } from "./living";

testKilledProcesses(25, "plugin", pluginDoor);
