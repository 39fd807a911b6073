import { dynamicDoor } from "../../tools/soak/engine";
import { testLifecycles } from "./living";

testLifecycles(1_000, "dynamic", dynamicDoor);
