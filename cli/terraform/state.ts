import * as z from "zod";
import { record } from "../../common/record";
import { CommandError } from "../command-line";
import { jsonOf } from "../input";

/** A resource of a Terraform state. Its values may be secrets in plain text: no message shows one. */
export interface TerraformResource {
  /** For example `module.teams["ops"].nomad_acl_role.this[0]`. */
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  /** The key of `count` or `for_each`. */
  readonly index?: number | string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** `true` for each value, or group of values, that is sensitive in Terraform. */
  readonly marks: unknown;
  /** The address of its module; undefined for the root module. */
  readonly module?: string | undefined;
  /** Whether Terraform has replaced it, and its delete is pending. */
  readonly isDeposed: boolean;
  /** Whether the state protects it from removal. */
  readonly isProtected?: boolean | undefined;
}

const shownResource = z.object({
  address: z.string(),
  mode: z.enum(["managed", "data"]),
  type: z.string(),
  name: z.string(),
  index: z.union([z.number(), z.string()]).optional(),
  values: record(z.unknown()).nullish(),
  sensitive_values: z.unknown(),
  deposed_key: z.string().optional(),
});

const shownModule = z.object({
  address: z.string().optional(),
  resources: z.array(shownResource).optional(),
  get child_modules() {
    return z.array(shownModule).optional();
  },
});

/** A state as `terraform show -json` writes it, without `values` for an empty one. */
const shown = z.object({ values: z.object({ root_module: shownModule.optional() }).nullish() });

const command = "`terraform show -json > state.json`";

/** Other Terraform files that users may give by mistake. */
const others: readonly (readonly [z.ZodType, string])[] = [
  [z.object({ lineage: z.string() }), `is a raw state of Terraform, in Terraform's internal form: give the file that ${command} writes`],
  [z.object({ planned_values: z.unknown() }).required(), `is a plan of Terraform: give a state, which ${command} writes`],
];

/** Reads the output of `terraform show -json`. @throws CommandError without values of the text except for the start of `format_version` */
export function parseTerraform(text: string, source: string): TerraformResource[] {
  const whole = jsonOf(text, source);
  const other = others.find(([form]) => form.safeParse(whole).success);
  if (other) throw new CommandError(`${source} ${other[1]}.`);
  const version = z.object({ format_version: z.string() }).safeParse(whole).data?.format_version;
  if (version === undefined) throw new CommandError(`${source} is not a state of Terraform: give the file that ${command} writes.`);
  if (!/^(0\.[12]|1\.\d+)$/.test(version)) {
    const given = JSON.stringify(version.slice(0, 20));
    throw new CommandError(`${source} has the format version ${given}, which this version does not know. It knows 0.1, 0.2 and 1.x.`);
  }
  const parsed = shown.safeParse(whole);
  if (!parsed.success) throw new CommandError(`${source} is not what ${command} writes: ${z.prettifyError(parsed.error)}`);
  return resourcesOf(parsed.data.values?.root_module ?? {});
}

function resourcesOf({ address, resources = [], child_modules = [] }: z.output<typeof shownModule>): TerraformResource[] {
  const own = resources.map(
    ({ values, sensitive_values, deposed_key, ...one }): TerraformResource => ({
      ...one,
      values: values ?? {},
      marks: sensitive_values,
      module: address,
      isDeposed: deposed_key !== undefined,
    }),
  );
  return [...own, ...child_modules.flatMap(resourcesOf)];
}
