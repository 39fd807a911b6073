/**
 * The module that the text in the state of every dynamic resource names: the engine's host loads it and uses the export of the resource's
 * kind. It must stay a public entry point.
 */
export * from "./generated/handlers";
