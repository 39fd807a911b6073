import { dynamicAdapter } from "../../tools/soak/engine";
import { sizeOf } from "../support/extent";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(sizeOf({ quick: 3, full: 25 }), "dynamic", dynamicAdapter);
