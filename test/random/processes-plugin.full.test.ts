import { pluginAdapter } from "../support/adapters";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(25, "plugin", pluginAdapter);
