import { dynamicAdapter } from "../../tools/in-process/adapters";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(25, "dynamic", dynamicAdapter);
