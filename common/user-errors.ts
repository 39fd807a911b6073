/** The words for an error in docs/troubleshooting.md. */
export interface ErrorWords {
  /** Words of the message, with `...` or capitals for variable parts. A test looks for them in the sources. */
  readonly says: string;
  /** The remedy, and the cause if the message does not give it. Errors of an area with the same remedy share one entry. */
  readonly remedy: string;
}

type Entries = Readonly<Record<string, ErrorWords>>;

const named = "Correct [the setting](configuration.md) that the message names.";
const ofFunction = "Correct it as the message says: [functions](functions.md).";
const ofProperty = "Correct it as the message says.";
const otherServer = "Correct the address or the region, or see [moving](moving.md#to-another-server).";
const plugin = "Leave the option `provider` out, or use `pulumi-agentpool-acl/plugin`.";
const poolPermissions = "Check the name and the token's permissions: the service returns 404 for both.";

const configuration = {
  "configuration-invalid": {
    says: "The configuration can't be used: ... must be ...",
    remedy: named,
  },
  "service-not-configured": {
    says: "The ... API is not configured: ...",
    remedy: "Set the key that the message names. For a destroy or refresh, set its variable, or add `--run-program`.",
  },
  "identity-token-unusable": {
    says: "No login is possible: ...",
    remedy: "Give the job [its identity token](configuration.md#a-login-instead-of-a-token).",
  },
  "login-failed": {
    says: "The login by the auth method ... failed: ...",
    remedy: "See the [error of the request](#errors-of-requests). To repair the login itself, set `AGENTPOOL_ACL_CLUSTER_TOKEN`.",
  },
  "address-invalid": {
    says: "The address that comes from ... must be like https://",
    remedy: named,
  },
  "proxy-unusable": {
    says: "The environment variable ... must be the address of a proxy",
    remedy: named,
  },
  "certificate-unreadable": {
    says: "What comes from ... is neither PEM text nor the path of a file",
    remedy: named,
  },
  "log-level-unknown": {
    says: "The environment variable ... must be debug or off.",
    remedy: named,
  },
  "log-unusable": {
    says: "The file that comes from ..., ..., can't be written",
    remedy: named,
  },
  "unknown-token": {
    says: "The provider ... has no ...",
    remedy: "Check the spelling. The SDK and the plugin must have the same version.",
  },
} satisfies Entries;

const programs = {
  "policy-option-invalid": { says: "accessPolicies: ...", remedy: "Correct [the option](policies.md#options)." },
  "dynamic-import": {
    says: "... a dynamic resource can't be imported",
    remedy: "Set `adopt: true`, or use `pulumi-agentpool-acl/plugin`.",
  },
  "dynamic-provider": { says: "... a dynamic resource has no provider of its own", remedy: plugin },
  "function-with-provider": { says: "... for functions of the plugin", remedy: plugin },
  "package-not-found": {
    says: "can't be found from the program's folder",
    remedy: "[Install it](commands.md#installation) there. Within a process, see [the Automation API](automation.md).",
  },
  "plugin-missing": {
    says: "The plugin ... is not installed, and there is no release",
    remedy: "Name its folder in [Pulumi.yaml](plugin.md#node-programs), or [install an archive](plugin.md#other-languages).",
  },
  "list-without-value": {
    says: "is given as an output that has no value",
    remedy: "Give a list (`[]` for none). Or leave the property out, and set `organizationScoped`.",
  },
} satisfies Entries;

const objects = {
  "property-refused": {
    says: "PROPERTY: METHOD ADDRESS: ...",
    remedy: "See the [error of the request](#errors-of-requests) that follows.",
  },
  "values-not-kept": {
    says: "but returned other values than were sent",
    remedy: "Check what the server supports, run `pulumi refresh`, then the update.",
  },
  "written-not-read": {
    says: "... was written, but could not be read after that",
    remedy: "Run `pulumi refresh`, or the update again.",
  },
  "managed-by-another": {
    says: "... Another resource of this program manages it",
    remedy: "Change one of the two resources. If the other one gives the object up in this update, run the update again.",
  },
  "exists-already": {
    says: "... exists already ... It was not touched",
    remedy: "[Adopt or import it](resources.md#an-object-that-exists-already), or give a renamed resource an alias.",
  },
  "adoption-differs": {
    says: "... adopt: true takes over only what equals the inputs",
    remedy: 'Change the inputs, or set `adopt: "overwrite"`.',
  },
  "adoption-not-comparable": {
    says: "... equals the inputs, and the API does not return ...",
    remedy: 'Leave the secret out to keep the server\'s, or set `adopt: "overwrite"` to write it.',
  },
  "taken-over-by-another": {
    says: "another resource of this program has it, too",
    remedy: "Remove this resource by `pulumi state delete`, then run `pulumi up --refresh`.",
  },
  gone: { says: "... no longer exists ..., so it can't be updated", remedy: "`pulumi up --refresh` creates it again." },
  "nothing-there": {
    says: "There is no ... Check the ID that was given",
    remedy: "Give an id that [an import takes](plugin.md#importing-what-exists).",
  },
  "other-server": { says: "... The state says that it was on ...", remedy: otherServer },
  "replacement-elsewhere": { says: "... is on ... in the state, but ... is configured", remedy: otherServer },
  "not-certain": {
    says: "... Nothing is concluded from it, and the state keeps the object",
    remedy: `The server's data is older than the state. ${otherServer}`,
  },
  "delete-blocked": {
    says: "... stays in the state. The server returned ...",
    remedy: "Remove what the response names, then run the update again.",
  },
  "built-in": {
    says: "comes with every server, which refuses its delete",
    remedy: "Remove it from the state with `pulumi state delete`, or set `retainOnDelete` before you remove it from the program.",
  },
  "create-unclear": {
    says: "The create got no response",
    remedy: "Run the update again: if the object exists, an error says how to take it over. If a token was created, delete it by hand.",
  },
  "listed-not-read": {
    says: "...: the server lists it, and returns a 404 for it",
    remedy: "Run the operation again. If the error stays, check the token's permissions.",
  },
  "as-told-before": { says: "... Another error of this operation says why", remedy: "See the other error." },
  "ended-early": {
    says: "... Nothing new was begun; run it again to go on",
    remedy: "Ctrl-C or `customTimeouts` ended the operation. Run it again, with a longer time-out if needed.",
  },
} satisfies Entries;

const pools = {
  "organization-unknown": {
    says: "... organization is not known...",
    remedy: "Set `agentpool-acl:organization`. Or import the pool as ORGANIZATION/POOL-NAME, or the token as POOL-ID/TOKEN-ID.",
  },
  "organization-missing": { says: "... organization ... does not exist, or the token may not see it", remedy: poolPermissions },
  "pool-and-organization-missing": { says: "can't be found, and neither can organization ...", remedy: poolPermissions },
  "pool-id-unknown": { says: "There is no agent pool ... Give its ID", remedy: "Give a pool's ID, or ORGANIZATION/POOL-NAME." },
  "pool-in-another-organization": { says: "... is not in organization ...", remedy: "Import the pool as ORGANIZATION/POOL-NAME." },
  "token-id-unknown": {
    says: "POOL-ID/TOKEN-ID, such as apool-.../at-...",
    remedy: "Give the ID of the token's pool, too: POOL-ID/TOKEN-ID.",
  },
  "pool-tokens-missing": {
    says: "agentPoolId: agent pool ... Nothing was created.",
    remedy: "If others have deleted the pool, run `pulumi up --refresh`. Otherwise check the token's permissions.",
  },
  "pool-in-use": {
    says: "... can't be deleted now, and stays in the state. ...",
    remedy: "Give its workspaces another pool or execution mode, and stop its agents. `forceDestroy: true` removes agents that have ended.",
  },
  "pool-workspaces-unknown": {
    says: "allowedWorkspaceIds: ... can't be updated without them",
    remedy: "Set `allowedWorkspaceIds` (`[]` for none), and remove it from `ignoreChanges`.",
  },
} satisfies Entries;

const methods = {
  "secret-not-given": {
    says: "holds a secret that the program does not give",
    remedy:
      "Set the secret, and remove it from `ignoreChanges`. For a method without a secret, remove the method from the program for one update.",
  },
  "secret-unknown": {
    says: "others have changed this secret, or may have",
    remedy: "Set the secret, and remove it from `ignoreChanges`. Or change `config` where the secret is managed.",
  },
  "config-erased": {
    says: "config: others have erased all of it",
    remedy: "Run `pulumi refresh`, then the update again, which writes the whole `config`.",
  },
  "replaced-by-others": {
    says: "... is not the one of the state: that was made ...",
    remedy:
      'To manage the new object, run `pulumi refresh` with `AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true`, then the update with `adopt: "overwrite"`.',
  },
  "made-anew": {
    says: "... was deleted by others between the read and the write",
    remedy: "Run `pulumi refresh`, which says how to go on. If the object should not exist, remove it from the program.",
  },
  "create-overwrote": {
    says: "has replaced another of that name",
    remedy: 'Agree with the owner of the replaced object on who manages it. Then set `adopt: "overwrite"`, or restore that object.',
  },
  "default-taken": {
    says: "default: ... can't be the default",
    remedy: "Set `default` of the other method to false. Let this method depend on that one (`dependsOn`), or run the update again.",
  },
  "method-not-updatable": {
    says: "... on this server ... It gives no hash of auth methods",
    remedy: "See [the limits of such servers](resources.md#servers-that-follow-the-api-documents-to-the-letter).",
  },
  "rights-would-mix": {
    says: "... Together they would grant unintended rights",
    remedy: "`pulumi refresh` shows the changes by others. The next update writes the program's values.",
  },
  "rule-not-named": {
    says: "There is no ACL binding rule ... ACL binding rules of ...",
    remedy: "Give METHOD/DESCRIPTION, METHOD/SELECTOR, or an ID from the message.",
  },
} satisfies Entries;

const tokens = {
  "token-in-use": {
    says: "is the token by which this program sends its requests",
    remedy: "Configure another management token, or remove this token from the program and the state (`pulumi state delete`).",
  },
  "secret-missing": {
    says: "was created, but the response lacks its secret",
    remedy: "Delete the token that the message names, look for a proxy that changes responses, and run the update again.",
  },
  "accessor-unknown": {
    says: "There is no ACL token with that accessor",
    remedy: "Give the AccessorID, not the SecretID: `nomad acl token list` shows it.",
  },
  "accessor-invalid": {
    says: "... is not the accessor of an ACL token",
    remedy: "Give the AccessorID, not the SecretID: `nomad acl token list` shows it.",
  },
} satisfies Entries;

const functions = {
  "arguments-invalid": { says: "FUNCTION: ARGUMENT ...", remedy: ofFunction },
  "arguments-not-an-object": {
    says: "... takes its arguments as one object...",
    remedy: ofFunction,
  },
  "argument-is-output": {
    says: "... is an output or a promise. Call ...Output",
    remedy: ofFunction,
  },
  "arguments-unclear": { says: "FUNCTION: give either id...", remedy: ofFunction },
  "not-found": {
    says: "FUNCTION: ... has no ...",
    remedy: "Check the argument, the token's permissions, and the configured cluster, region or organization.",
  },
  "bind-type-unknown": {
    says: "... has the bind type ..., which this version does not know",
    remedy: "Use a newer version of this package.",
  },
} satisfies Entries;

/**
 * Every error for users that has a code, by area and code, with words of its message and a remedy. Only the codes are used at run time. The
 * texts are for the documents (`npm run generate`).
 */
export const userErrors = { configuration, programs, objects, pools, methods, tokens, functions };

type Areas = typeof userErrors;

export type UserErrorCode = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];

/**
 * The errors of refused inputs and arguments, and of names that no address can contain. They have no code of their own: an engine reports
 * all errors of an object at once, each with its property. The texts are for the documents (`npm run generate`).
 */
export const propertyErrors: readonly ErrorWords[] = [
  { says: "PROPERTY must ...", remedy: ofProperty },
  { says: "PROPERTY is invalid: ...", remedy: ofProperty },
  {
    says: "PROPERTY is not a property here",
    remedy: ofProperty,
  },
  { says: "PROPERTY is required", remedy: ofProperty },
  { says: "bindName is required when bindType is ...", remedy: ofProperty },
  { says: "config needs one of oidcDiscoveryUrl", remedy: ofProperty },
  {
    says: 'selector is required when bindType is "management"',
    remedy: ofProperty,
  },
  {
    says: 'bindName is not allowed when bindType is "management"',
    remedy: ofProperty,
  },
  { says: "config.oidcDiscoveryUrl must be given without the .well-known part", remedy: ofProperty },
  {
    says: "PROPERTY can't be read: ...",
    remedy: "Correct [the policy's rules](rights.md#whether-rules-are-valid) at that line and column.",
  },
  { says: "PROPERTY is the word ..., which the API returns instead of a secret", remedy: "Give the secret itself." },
  {
    says: "PROPERTY was changed by others, or may have been",
    remedy: "Give this secret, and remove it from `ignoreChanges` for this update.",
  },
  { says: "PROPERTY must be a public key: this is a private one", remedy: "Make a new key pair, and give the public key." },
  {
    says: "PROPERTY must be a private key that is not encrypted",
    remedy: "Decrypt it: `openssl pkey -in old.pem -out new.pem`.",
  },
  { says: "... can't be a name or an id in an address", remedy: ofProperty },
];
