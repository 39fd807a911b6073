import * as pulumi from "@pulumi/pulumi";
import type { Properties, Resource } from "../model/resource";
import { type Registration, shortStacks } from "./stack-traces";

/** How an adapter registers a resource of a program. */
type Register = (resource: Resource, name: string, args: Properties, options?: pulumi.CustomResourceOptions) => Registration;

type Options = pulumi.CustomResourceOptions;

/**
 * The class that a program declares a resource with. It is derived from the SDK's with nothing in between: the SDK takes the call before the class for the
 * place in the program, and the engine keeps all the calls in the state.
 *
 * @typeParam Class - its type, generated from the description that the resource is made of, which the compiler can't follow
 */
export function resourceClass<Class>(resource: Resource, register: Register): Class {
  const { kind, inputs } = resource;
  // An input that is filled in is named after the resource.
  const isNamed = inputs.get("name")?.traits.filledIn !== undefined;
  // The computed name is the class's own, in errors and in the stack.
  const { [kind]: made } = {
    [kind]: class extends pulumi.CustomResource {
      static get(name: string, id: pulumi.Input<pulumi.ID>, options?: Options) {
        return new this(name, undefined, { ...options, id });
      }

      constructor(name: string, args?: Properties, options?: Options) {
        const stacks = shortStacks();
        try {
          const isRead = !!options?.id;
          super(...register(resource, name, isNamed && !isRead ? { ...args, name: args?.name ?? name } : { ...args }, options));
        } catch (error) {
          throw stacks.completed(error);
        } finally {
          stacks.end();
        }
      }
    },
  };
  return made as Class;
}
