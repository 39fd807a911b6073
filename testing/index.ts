/**
 * The testing kit for Pulumi programs: a simulator of both APIs over HTTP, and an engine that runs a program without the Pulumi CLI.
 *
 * @example
 * const simulator = await Simulator.start();
 * const result = await rehearse("up", { program: "../provider", state: "state.json", config: { "agentpool-acl:clusterAddress": simulator.clusterAddress } });
 */
export * from "./access";
export * from "./rehearsal";
export * from "./simulator";
