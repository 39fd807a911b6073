import { pluginAdapter } from "../../tools/soak/plugin-adapter";
import { sizeOf } from "../support/extent";
import { testKilledProcesses } from "./living";

testKilledProcesses(sizeOf({ quick: 3, full: 25 }), "plugin", pluginAdapter);
