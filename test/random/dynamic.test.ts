import { dynamicAdapter } from "../support/adapters";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

testLifecycles(sizeOf({ quick: 20, full: 1_000 }), "dynamic", dynamicAdapter);
