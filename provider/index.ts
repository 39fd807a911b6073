/**
 * The package's main module: the resources, as Pulumi dynamic resources, the functions, and their types. Functions send their request when
 * the program runs, in previews too; their Output form waits for its arguments.
 */
export * from "./generated/dynamic";
