// Generated from the repository in package.json by `npm run generate`. Edit that.

/** Where the Pulumi CLI downloads the plugin from, when it is not installed. */
export const pluginDownloadUrl = "github://api.github.com/pulumi-agentpool-acl/pulumi-agentpool-acl";

/** The path that Go programs import. */
export const goModule = "github.com/pulumi-agentpool-acl/pulumi-agentpool-acl/sdk/go/agentpoolacl";
