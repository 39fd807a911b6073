import { dynamicAdapter } from "../../tools/in-process/adapters";
import { sizeOf } from "../support/extent";
import { testLifecycles } from "./lifecycles";

testLifecycles(sizeOf({ quick: 100, full: 1_000 }), "dynamic", dynamicAdapter);
