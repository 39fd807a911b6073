/**
 * The testing kit for Pulumi programs: a simulator of both APIs over HTTP, and an engine that runs a program without the Pulumi CLI.
 *
 * @example
 * const simulator = await Simulator.start();
 * const env = { NOMAD_ADDR: simulator.clusterAddress, NOMAD_TOKEN: simulator.clusterToken };
 * const result = await rehearse("up", { program: ".", state: "state.json", env });
 */
export * from "./access";
export * from "./rehearsal";
export * from "./simulator";
