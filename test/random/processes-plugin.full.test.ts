import { pluginAdapterBy } from "../support/adapters";
import { connect } from "../support/connect";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(25, "plugin", pluginAdapterBy(connect));
