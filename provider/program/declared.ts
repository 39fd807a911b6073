import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../model/remote";

/** A resource as a program declares it. */
export interface Declared {
  readonly args: Properties;
  readonly made: pulumi.CustomResource;
  readonly options: pulumi.CustomResourceOptions | undefined;
}
