import { shellText } from "../import/text";
import { parseBridged } from "./bridged";
import { parseTerraform, type TerraformResource } from "./state";

/** The origin of an object in its state. */
export interface Origin {
  /** All addresses of the object, including the limits of a pool. */
  readonly addresses: readonly string[];
  readonly isProtected: boolean;
  /** The names of its modules, its own, and the keys of `count` and `for_each`. */
  readonly parts: readonly string[];
  /** Whether the resource is a pool for some workspaces only, and the state does not say for which. */
  readonly lacksLimits: boolean;
}

/** A tool that keeps resources of Terraform's providers in its state, and its words in messages. */
export interface StateKeeper {
  readonly parse: (text: string, source: string) => TerraformResource[];
  /** Whether to report a resource of this type if this package has no such kind. */
  readonly isNamed: (type: string) => boolean;
  readonly secret: string;
  readonly deposed: string;
  readonly refresh: string;
  readonly remedy: string;
  /** The steps that remove resources from the state without deleting their objects, as lines. @param origins in the order of `parse` */
  readonly removal: (origins: readonly Origin[]) => string[];
}

export const terraform: StateKeeper = {
  parse: parseTerraform,
  isNamed: () => true,
  secret: "sensitive in Terraform",
  deposed: "Terraform has replaced it and is still to delete it: run `terraform apply` first",
  refresh: "Run `terraform apply -refresh-only`, then `terraform show -json` again",
  remedy: "leave it in Terraform, or declare it by another package of Pulumi",
  removal: (origins) => [
    "the state is as old as Terraform's last refresh: the preview shows later changes by others",
    "at the end, before Terraform's next plan, remove the objects from its state, and their blocks from its configuration:",
    ["terraform state rm", ...origins.flatMap(({ addresses }) => addresses.map(shellText))].join(continued),
  ],
};

/** Joins arguments of a shell command, one a line. */
const continued = " \\\n  ";

/** A stack with Pulumi's Nomad provider. */
export const bridged: StateKeeper = {
  parse: parseBridged,
  isNamed: (type) => type.startsWith("nomad_"),
  secret: "a secret of the state",
  deposed: "the stack has replaced it and is still to delete it: run `pulumi up` there first",
  refresh: "Run `pulumi refresh`, then `pulumi stack export` again",
  remedy: "leave it in its stack",
  removal: (origins) => {
    const urns = origins.flatMap(({ addresses }) => addresses);
    const stack = urns[0]?.split(":")[2] ?? "";
    const force = origins.some(({ isProtected }) => isProtected) ? " --force" : "";
    return [
      "the state is as old as the stack's last refresh: the preview shows later changes by others",
      "at the end, before the old stack's next update, remove the objects from its program and its state. In its folder:",
      [`pulumi state delete --stack ${shellText(stack)} --yes${force}`, ...urns.map(shellText)].join(continued),
    ];
  },
};
