import { dynamicAdapter } from "../../tools/soak/engine";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

testLifecycles(sizeOf({ quick: 100, full: 1_000 }), "dynamic", dynamicAdapter);
