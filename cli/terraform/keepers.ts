import { shellText } from "../import/text";
import { parseBridged } from "./bridged";
import { parseTerraform, type TerraformResource } from "./state";

/** What an object has in the state that it comes from. */
export interface Origin {
  /** All addresses that the object has there: also those of what limits a pool. */
  readonly addresses: readonly string[];
  readonly isProtected: boolean;
  /** The names of its modules, its own, and the keys of `count` and `for_each`. */
  readonly parts: readonly string[];
  /** Whether it is a pool that not all workspaces may use, and the state does not say which may. */
  readonly lacksLimits: boolean;
}

/** Where resources of Terraform's providers are kept, and what messages say of it. */
export interface StateKeeper {
  readonly parse: (text: string, source: string) => TerraformResource[];
  /** Whether a resource that is of no kind of this package is named. */
  readonly isNamed: (type: string) => boolean;
  readonly secret: string;
  readonly deposed: string;
  readonly refresh: string;
  readonly remedy: string;
  /** How they leave the state without their objects, as lines. They are in its order. */
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
    "the state is as old as Terraform's last refresh: what others have changed since then shows in the preview",
    "in the end, take them out of Terraform's state, and their blocks out of its configuration, before its next plan:",
    ["terraform state rm", ...origins.flatMap(({ addresses }) => addresses.map(shellText))].join(continued),
  ],
};

/** Joins the arguments of a command of a shell, each on its own line. */
const continued = " \\\n  ";

/** A stack of Pulumi with its Nomad provider. */
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
      "the state is as old as the stack's last refresh: what others have changed since then shows in the preview",
      "in the end, take them out of the old stack's state, and out of its program, before its next update. In its folder:",
      [`pulumi state delete --stack ${shellText(stack)} --yes${force}`, ...urns.map(shellText)].join(continued),
    ];
  },
};
