/** The repository's folder. */
export { packageRoot as root } from "../provider/adapters/plugin/package";
