// Generated from the repository in package.json by `npm run generate`. Edit that.

/** The address from which the Pulumi CLI downloads a missing plugin; undefined until the package is published. */
export const pluginDownloadUrl: string | undefined = undefined;

/** The path that Go programs import. */
export const goModule = "example.com/pulumi-agentpool-acl/sdk/go/agentpoolacl";
