/**
 * Where the text in the state of every dynamic resource leads: the engine's host loads this module and calls what it finds under the resource's kind.
 * A public entry point for ever.
 */
export * from "./generated/handlers";
