/**
 * What a program imports: the resources, as Pulumi dynamic resources, the functions, and their types. Functions ask the server when the program runs, in
 * previews too; their Output form waits for its arguments.
 */
export * from "./generated/dynamic";
