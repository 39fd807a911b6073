import { dynamicAdapter } from "../support/adapters";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(25, "dynamic", dynamicAdapter);
