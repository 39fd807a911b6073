import { namespace } from "./config";

/** The type token of a dynamic resource of a kind. */
export function dynamicType(kind: string): string {
  return `pulumi-nodejs:dynamic/${namespace}:${kind}`;
}

/** The token of a resource or a function of the plugin. */
export function pluginToken(name: string): string {
  return `${namespace}:index:${name}`;
}
