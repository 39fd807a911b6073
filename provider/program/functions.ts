import * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import { isApiError } from "../apis/http/errors";
import { Clients } from "../configuration/clients";
import { namespace, resolveConfiguration } from "../configuration/config";
import { pluginToken } from "../configuration/tokens";
import type { ProviderFunction } from "../functions/definition";
import type { Properties } from "../model/remote";
import { Session } from "../operation/call-context";
import { currentRun, isMocked, runError } from "./run";

/**
 * Calls a function of the provider in the program's own process, with the program's configuration. In a unit test it calls the mocks, and
 * sends nothing.
 */
export async function callFunction<R extends Properties>(
  definition: ProviderFunction<R>,
  args: object,
  options: pulumi.InvokeOptions = {},
): Promise<R> {
  try {
    refuseProviders(definition, options);
    const plain = plainArguments(definition, args);
    if (isMocked(currentRun())) return await pulumi.runtime.invoke(pluginToken(definition.name), plain, options);
    return await inSession((session) => definition.run(session.call(reports), plain));
  } catch (error) {
    if (error instanceof UserError) throw runError(error.code, error.message);
    throw isApiError(error) ? runError(error.kind, error.message) : error;
  }
}

/**
 * The same as `callFunction`, with arguments that may be outputs. In a preview, the result is unknown if an argument is, or if an
 * argument or `dependsOn` refers to a resource that does not exist yet. A resource exists if its ID is known.
 */
export function callFunctionOutput<R extends Properties>(
  definition: ProviderFunction<R>,
  args: object,
  { dependsOn, ...options }: pulumi.InvokeOutputOptions = {},
): pulumi.Output<R> {
  refuseProviders(definition, options);
  if (isMocked(currentRun()))
    return pulumi.runtime.invokeOutput(pluginToken(definition.name), { ...args }, { ...options, ...(dependsOn && { dependsOn }) });
  const ids = resourcesOf([args, dependsOn]).then((resources) =>
    resources.map((resource) => (pulumi.CustomResource.isInstance(resource) ? resource.id : resource.urn)),
  );
  // An output that is made from a secret is a secret, so one secret part makes the whole result a secret.
  const hasSecret = [...definition.outputs.values()].some(({ traits }) => traits.secret);
  return pulumi.all([args, ids, hasSecret ? pulumi.secret(true) : hasSecret]).apply(([known]) => callFunction(definition, known));
}

const reports = {
  warn: (message: string) => void pulumi.log.warn(message),
  progress: (message: string) => void pulumi.log.info(message),
};

/** The data that the calls of one run of a program share. */
interface SharedSession {
  readonly run: object | undefined;
  readonly madeFrom: string;
  readonly session: Session;
  calls: number;
}

let latest: SharedSession | undefined;

/** Uses the session of the current run. The session of an earlier run, or of an older configuration, ends with the last of its calls. */
async function inSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const run = currentRun();
  const configured = pulumi.runtime.allConfig();
  const resolved = resolveConfiguration((key) => configured[`${namespace}:${key}`], { ...process.env });
  const madeFrom = JSON.stringify(resolved);
  if (latest?.run !== run || latest?.madeFrom !== madeFrom) {
    const earlier = latest;
    // At that time the program has ended, and no longer needs the token.
    if (!earlier) process.once("beforeExit", () => void latest?.session.connections.close());
    latest = { run, madeFrom, session: new Session(new Clients(() => resolved)), calls: 0 };
    if (earlier?.calls === 0) void earlier.session.connections.close();
  }
  const shared = latest;
  shared.calls++;
  try {
    return await work(shared.session);
  } finally {
    shared.calls--;
    if (shared !== latest && shared.calls === 0) void shared.session.connections.close();
  }
}

/** Only the engine can call a function of an explicit provider, and these functions run without the engine. */
function refuseProviders({ name }: ProviderFunction, options: pulumi.InvokeOptions): void {
  const inherited = options.parent?.getProvider(pluginToken(name));
  const given = (["provider", "version", "pluginDownloadURL"] as const).find((key) => options[key] !== undefined);
  if (given === undefined && inherited === undefined) return;
  const what = given ? `the option ${given} is` : "its parent has a provider of this package, which is";
  throw runError(
    "function-with-provider",
    `${name}: ${what} for functions of the plugin. This one runs in the program, with the stack's configuration. ` +
      `Import ${name} from "pulumi-agentpool-acl/plugin" to call it through a provider, or leave the option out.`,
  );
}

/** Checks the form of the arguments: a program in JavaScript may pass any value. */
function plainArguments({ name, inputs }: ProviderFunction, args: unknown): Properties {
  const example = [...inputs.keys()].at(-1);
  if (!isRecord(args) || pulumi.Output.isInstance(args)) {
    throw new UserError(
      "arguments-not-an-object",
      `${name} takes its arguments as one object${example ? `, like ${name}({ ${example}: "..." })` : ""}.`,
    );
  }
  const output = Object.keys(args).find((key) => pulumi.Output.isInstance(args[key]) || args[key] instanceof Promise);
  if (output !== undefined) {
    throw new UserError("argument-is-output", `${name}: ${output} is an output or a promise. Call ${name}Output, which waits for it.`);
  }
  return args;
}

/** The resources that an input is or comes from, with the children of components among them. */
async function resourcesOf(input: unknown): Promise<pulumi.Resource[]> {
  const direct = new Set<pulumi.Resource>();
  await pulumi.runtime.serializeProperty("input", pulumi.output(input), direct);
  const resources = new Set<pulumi.Resource>();
  await Promise.all([...direct].map((resource) => addWithParts(resource, resources)));
  return [...resources];
}

async function addWithParts(resource: pulumi.Resource, all: Set<pulumi.Resource>): Promise<void> {
  if (all.has(resource)) return;
  all.add(resource);
  if (!pulumi.ComponentResource.isInstance(resource)) return;
  // A component has all its children once its constructor has ended. The SDK waits for the same two fields, which it does not declare.
  await Reflect.get(resource, "__data");
  const parts: unknown = Reflect.get(resource, "__childResources");
  if (!(parts instanceof Set)) return;
  const resources = [...parts].filter((part): part is pulumi.Resource => pulumi.Resource.isInstance(part));
  await Promise.all(resources.map((part) => addWithParts(part, all)));
}
