import { dynamicAdapter, pluginAdapterBy } from "../support/adapters";
import { connect } from "../support/connect";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

// Fewer than with measured servers, because only the cluster's objects differ.
testLifecycles(sizeOf({ quick: 5, full: 400 }), "dynamic", dynamicAdapter, "documented");
testLifecycles(sizeOf({ quick: 2, full: 100 }), "plugin", pluginAdapterBy(connect), "documented");
