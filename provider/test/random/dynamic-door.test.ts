import { dynamicDoor } from "../../soak/engine";
import { testLifecycles } from "./living";

testLifecycles(1_000, "dynamic", dynamicDoor);
