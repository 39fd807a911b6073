import * as pulumi from "@pulumi/pulumi";
import type { Resource } from "../lifecycle/resource";
import type { Properties } from "../model/remote";
import { warnOfPoliciesByText } from "./policies-by-text";
import { type Registration, shortStacks } from "./stack-traces";
import { warnOfTokenBeforePool } from "./tokens-of-pools";

/** The function of an adapter that registers a resource of a program. */
type Register = (resource: Resource, name: string, args: Properties, options?: pulumi.CustomResourceOptions) => Registration;

/** A callback for each declared resource. Resources that are read (`get`) don't reach it. */
type OnDeclared = (resource: Resource, name: string, args: Properties, made: pulumi.CustomResource) => void;

type Options = pulumi.CustomResourceOptions;

/**
 * The class of a resource for programs. It is derived from the SDK's class without a class between them: the SDK takes the caller of the
 * class as the place in the program, and the engine stores the whole call stack in the state.
 *
 * @typeParam Class - the type of the class, generated from the resource's description, because the compiler can't derive it
 */
export function resourceClass<Class>(resource: Resource, register: Register, onDeclared: OnDeclared = () => undefined): Class {
  const { kind, inputs } = resource;
  // Whether the object gets the resource's name in the program if the program leaves `name` out.
  const isNamed = inputs.get("name")?.traits.missingReason !== undefined;
  // The computed property name gives the class its name in errors and stacks.
  const { [kind]: made } = {
    [kind]: class extends pulumi.CustomResource {
      static get(name: string, id: pulumi.Input<pulumi.ID>, options?: Options) {
        return new this(name, undefined, { ...options, id });
      }

      constructor(name: string, args?: Properties, options?: Options) {
        const stacks = shortStacks();
        try {
          const isRead = !!options?.id;
          const given = isNamed && !isRead ? { ...args, name: args?.name ?? name } : { ...args };
          super(...register(resource, name, given, options));
          if (!isRead) {
            onDeclared(resource, name, given, this);
            warnOfPoliciesByText(resource, name, { args: given, made: this, options });
            warnOfTokenBeforePool(resource, name, { args: given, made: this, options });
          }
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
