/** The provider of a self-contained archive: the bundle starts here, in the archive's own Node. */
import { serveEngine } from "../../cli/plugin";

serveEngine();
