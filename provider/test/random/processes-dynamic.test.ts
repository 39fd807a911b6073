import { dynamicDoor } from "../../soak/engine";
import { testKilledProcesses } from "./living";

testKilledProcesses(25, "dynamic", dynamicDoor);
