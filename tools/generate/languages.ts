import { namespace } from "../../provider/configuration/config";
import { goModuleOf, readSource } from "./source";

/** The path that Go programs import. */
export const goModule = goModuleOf(readSource());

/** The name of a generated SDK for Node, different from the npm package that Node programs can install instead. */
const nodePackage = "pulumi-agentpool-acl-sdk";

const csharpRoot = "AgentpoolAcl";
const csharpLeaf = "Sdk";
/** The namespace that C# programs use. Names that begin with Pulumi are reserved on NuGet. */
export const csharpNamespace = `${csharpRoot}.${csharpLeaf}`;

/** The settings of Pulumi's SDK generators for each language. */
export const languageSettings = {
  nodejs: { packageName: nodePackage, respectSchemaVersion: true },
  python: { packageName: "pulumi_agentpool_acl", respectSchemaVersion: true, pyproject: { enabled: true } },
  go: { importBasePath: goModule, respectSchemaVersion: true, generateResourceContainerTypes: true },
  csharp: { rootNamespace: csharpRoot, namespaces: { [namespace]: csharpLeaf }, respectSchemaVersion: true },
};
