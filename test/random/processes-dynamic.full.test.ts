import { dynamicAdapter } from "../../tools/soak/engine";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(25, "dynamic", dynamicAdapter);
