import { pluginAdapterBy } from "../../tools/in-process/adapters";
import { connect } from "../support/connect";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

// Fewer: each operation makes a connection and sends every call through it.
testLifecycles(sizeOf({ quick: 20, full: 200 }), "plugin", pluginAdapterBy(connect));
