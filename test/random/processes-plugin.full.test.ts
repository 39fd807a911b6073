import { pluginAdapterBy } from "../../tools/soak/plugin-adapter";
import { connect } from "../support/connect";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(25, "plugin", pluginAdapterBy(connect));
