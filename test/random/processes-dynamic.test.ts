import { dynamicDoor } from "../../tools/soak/engine";
import { testKilledProcesses } from "./living";

testKilledProcesses(25, "dynamic", dynamicDoor);
