import { pluginAdapterBy } from "../../tools/soak/plugin-adapter";
import { connect } from "../support/connect";
import { sizeOf } from "../support/extent";
import { testKilledProcesses } from "./lifecycles";

testKilledProcesses(sizeOf({ quick: 3, full: 25 }), "plugin", pluginAdapterBy(connect));
