import { namespace } from "../../provider/configuration/config";
import { goModuleOf, readSource } from "./source";

/** The path that Go programs import. */
export const goModule = goModuleOf(readSource());

/** The package on npm that Node programs can install instead of one that is generated from the schema has another name. */
const nodePackage = "pulumi-agentpool-acl-sdk";

const csharpRoot = "AgentpoolAcl";
const csharpLeaf = "Sdk";
/** The namespace that C# programs use. Names that begin with Pulumi are reserved on NuGet. */
export const csharpNamespace = `${csharpRoot}.${csharpLeaf}`;

/** What Pulumi's generators of SDKs need to know for each language. */
export const languageSettings = {
  nodejs: { packageName: nodePackage, respectSchemaVersion: true },
  python: { packageName: "pulumi_agentpool_acl", respectSchemaVersion: true, pyproject: { enabled: true } },
  go: { importBasePath: goModule, respectSchemaVersion: true, generateResourceContainerTypes: true },
  csharp: { rootNamespace: csharpRoot, namespaces: { [namespace]: csharpLeaf }, respectSchemaVersion: true },
};
