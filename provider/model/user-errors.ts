import type { ErrorWords } from "./error-words";
import { functionErrors } from "./function-errors";

type Entries = Readonly<Record<string, ErrorWords>>;

const configuration = {
  "configuration-invalid": {
    says: "The configuration can't be used: ... must be ...",
    cause: "The message names each key and its form. With the plugin it begins `resource 'default_...' has a problem`.",
    remedy: "Correct the environment variable, or `pulumi config set agentpool-acl:KEY VALUE`.",
  },
  "service-not-configured": {
    says: "The ... API is not configured: ...",
    cause: "The program uses a service whose address or token is missing.",
    remedy: "Set what the message names. For a destroy or refresh, set the environment variable, or add `--run-program`.",
  },
  "identity-token-unusable": {
    says: "No login is possible: ...",
    cause: "The variable or the file of `clusterLogin` is missing or empty, or holds no JWT.",
    remedy: "Give the job [its identity token](configuration.md#a-login-instead-of-a-token).",
  },
  "login-failed": {
    says: "The login by the auth method ... failed: ...",
    cause: "The server refuses the identity token, or can't be reached.",
    remedy: "Do what the [error of the request](#errors-of-requests) says. To repair the login itself, set `AGENTPOOL_ACL_CLUSTER_TOKEN`.",
  },
  "address-invalid": {
    says: "The address that comes from ... must be like https://",
    cause: "It has no http or https, or has a user, a query or a fragment. It may hold a password, so it is not shown.",
    remedy: "Correct it.",
  },
  "proxy-unusable": {
    says: "The environment variable ... must be the address of a proxy",
    cause: "`HTTPS_PROXY` or `HTTP_PROXY` may hold a password, so it is not shown.",
    remedy: "Correct it, or except the service by `NO_PROXY`.",
  },
  "certificate-unreadable": {
    says: "What comes from ... is neither PEM text nor the path of a file",
    cause: "A certificate or key is something else, or its file can't be read.",
    remedy: "Give the PEM text, or a path relative to the program's folder.",
  },
  "log-level-unknown": {
    says: "The environment variable ... must be debug or off.",
    cause: "`AGENTPOOL_ACL_LOG` has another value.",
    remedy: "Correct it, or unset it.",
  },
  "log-unusable": {
    says: "The file that comes from ..., ..., can't be written",
    cause: "The file of `AGENTPOOL_ACL_LOG_FILE` can't be opened.",
    remedy: "Name a file in a folder that exists.",
  },
  "schema-version": {
    says: "There is no schema of version ...",
    cause: "A tool asks for a newer form of schemas.",
    remedy: "Use a newer version of this package.",
  },
  "unknown-token": {
    says: "The provider ... has no ...",
    cause: "This version of the plugin lacks it.",
    remedy: "Check the spelling, and that the SDK and the plugin have the same version.",
  },
} satisfies Entries;

const programs = {
  "policy-option-invalid": {
    says: "accessPolicies: ...",
    cause: "An option of `accessPolicies` has another form, or names no policy.",
    remedy: "Correct it: [guardrails](policies.md).",
  },
  "dynamic-import": {
    says: "... a dynamic resource can't be imported",
    cause: "Pulumi has no import of them.",
    remedy: "Set `adopt: true`, or use `pulumi-agentpool-acl/plugin`.",
  },
  "dynamic-provider": {
    says: "... a dynamic resource has no provider of its own",
    cause: "The resource has the option `provider`.",
    remedy: "Leave it out, or use `pulumi-agentpool-acl/plugin`.",
  },
  "package-not-found": {
    says: "pulumi-agentpool-acl can't be found from the program's folder",
    cause: "Only a dependency of the program depends on it.",
    remedy:
      "`npm install FILE` in the program's folder, with the file that `npm pack` makes. Within a process: [the Automation API](automation.md).",
  },
  "list-without-value": {
    says: "is given as an output that has no value",
    cause: "Without a list the pool would be open to all workspaces.",
    remedy: "Give a list (`[]` for none), or leave the input out and write `organizationScoped`.",
  },
  "function-with-provider": {
    says: "... for functions of the plugin",
    cause: "Functions of the dynamic package take no such option.",
    remedy: "Leave it out.",
  },
} satisfies Entries;

const objects = {
  "property-refused": {
    says: "PROPERTY: METHOD ADDRESS: ...",
    cause: "The service refuses the property.",
    remedy: "See the [error of the request](#errors-of-requests) that follows.",
  },
  "values-not-kept": {
    says: "but returned other values than were sent",
    cause: "The server has stored other values, and the state has them.",
    remedy: "Check what the server supports, run `pulumi refresh`, then the update again.",
  },
  "written-not-read": {
    says: "... was written, but could not be read after that",
    cause: "The response to the write is empty, and the read after it failed. The state has the object, without what the server adds.",
    remedy: "Run `pulumi refresh`, or the update again.",
  },
  "managed-by-another": {
    says: "... Another resource of this program manages it",
    cause: "Two resources have the same name or content.",
    remedy: "Change one of them. If the other one gives the object up in this update, run the update again.",
  },
  "exists-already": {
    says: "... exists already ... It was not touched",
    cause: "Others made it, or an interrupted update.",
    remedy:
      "[Adopt or import it](resources.md#an-object-that-exists-already), or give a resource that was renamed an alias. For a forced replacement, set `deleteBeforeReplace: true`.",
  },
  "adoption-differs": {
    says: "... adopt: true takes over only what equals the inputs",
    cause: "The object has other values.",
    remedy: 'Change the inputs, or set `adopt: "overwrite"`.',
  },
  "adoption-not-comparable": {
    says: "... equals the inputs, and the API does not return ...",
    cause: "It never returns a client secret.",
    remedy: 'Leave the value out to keep the server\'s, or set `adopt: "overwrite"` to write it.',
  },
  "adoption-unavailable": {
    says: "... was not taken over: ...",
    cause: "The folder that the update's providers share can't be used.",
    remedy: "Set `TMPDIR` to a folder of your own, and run it again.",
  },
  "taken-over-by-another": {
    says: "... another resource of this program, with adopt, has taken it over",
    cause: "Two resources are about one object.",
    remedy: "Remove this one by `pulumi state delete`; the next update creates an object for it.",
  },
  "under-two-servers": {
    says: "... another provider of this program has one of the same identity",
    cause: "Two addresses lead to one cluster, or to copies of one.",
    remedy: "For one cluster, use one address. For copies, run the operation with `--target` and this URN.",
  },
  gone: {
    says: "... no longer exists ..., so it can't be updated",
    cause: "Others removed the object.",
    remedy: "`pulumi up --refresh` creates it again.",
  },
  "nothing-there": {
    says: "There is no ... Check the ID that was given",
    cause: "The server lacks what an import or a `get` names.",
    remedy:
      "Give a method's name; a role's ID or name; a rule's ID, METHOD/DESCRIPTION or METHOD/SELECTOR; a pool's ID or ORGANIZATION/POOL-NAME.",
  },
  "other-server": {
    says: "... The state says that it was on ...",
    cause: "The configured server is another one, and lacks the object.",
    remedy: "Correct the address or the region, or see [moving](moving.md#to-another-server).",
  },
  "replacement-elsewhere": {
    says: "...: nothing was created on ..., which is configured",
    cause: "The object to replace is on another server.",
    remedy: "Correct the address, or see [moving](moving.md#to-another-server).",
  },
  "names-in-circle": {
    says: "... the names of this program's resources change in a circle",
    cause: "Resources exchange their names, so each finds its new name taken.",
    remedy: "Give one of them a temporary name in an update of its own first.",
  },
  "not-certain": {
    says: "... Nothing is concluded from it, and the state keeps the object",
    cause: "The server's store is older than the object's last change.",
    remedy:
      "If the region lags, set `agentpool-acl:clusterRegion` to the authoritative one. For a backup see [moving](moving.md#to-another-server).",
  },
  "region-lags": {
    says: "... it lags behind the authoritative region",
    cause: "The region that is read from does not show the object yet.",
    remedy: "Run the update again, or set `agentpool-acl:clusterRegion` to the authoritative region.",
  },
  "delete-blocked": {
    says: "... stays in the state. The server returned ...",
    cause: "The server refuses it.",
    remedy: "Remove what the response names, then run the update again.",
  },
  "probe-accepted": {
    says: "... accepted an update that every server should refuse",
    cause: "The server accepts an update without required values.",
    remedy:
      "`pulumi up --refresh` writes the program's values again (`adopt: \"overwrite\"` for an adoption). Report the server's version.",
  },
  "create-unclear": {
    says: "The create got no response, and looking for what it made failed",
    cause: "The connection broke.",
    remedy: "Run the update again: if the object exists, the error says how to take it over. A token that it made must be deleted by hand.",
  },
  "as-told-before": {
    says: "... Another error of this operation says why",
    cause: "Several objects met one fault, which is explained once.",
    remedy: "Do what that error says.",
  },
  "ended-early": {
    says: "... Nothing new was begun; run it again to go on",
    cause: "Ctrl-C or `customTimeouts` ended it. A running write was completed.",
    remedy: "Run it again, with a longer time-out if needed.",
  },
  "siblings-lost": {
    says: "..., through which the providers of one update publish what they hold, was cleared",
    cause: "Something has cleared the folder for temporary files.",
    remedy: "Run the update again, with `TMPDIR` as a folder that stays.",
  },
} satisfies Entries;

const pools = {
  "organization-unknown": {
    says: "... organization is not known...",
    cause: "Nothing names it.",
    remedy: "Set `agentpool-acl:organization`, or import a pool as ORGANIZATION/POOL-NAME, a token as POOL-ID/TOKEN-ID.",
  },
  "organization-missing": {
    says: "... organization ... does not exist, or the token may not see it",
    cause: "The service returns 404 for both.",
    remedy: "Correct the name, or use another token.",
  },
  "pool-id-unknown": {
    says: "There is no agent pool ... Give its ID",
    cause: "The token sees no such pool.",
    remedy: "Give the pool's ID, or its organization and its name.",
  },
  "token-id-unknown": {
    says: "... a token ... Give POOL-ID/TOKEN-ID",
    cause: "The pool that is named does not have the token or, if none is named, no pool of the configured organization has it.",
    remedy: "Give the ID of the pool that has it: POOL-ID/TOKEN-ID.",
  },
  "pool-tokens-missing": {
    says: "agentPoolId: agent pool ... Nothing was created.",
    cause: "The pool is gone, or the service has no agent tokens, or it shows this token neither.",
    remedy: "Run `pulumi up --refresh` if others have deleted the pool. Otherwise check what the token may do.",
  },
  "pool-in-another-organization": {
    says: "... is not in organization ...",
    cause: "The pool is in another one than the configured one.",
    remedy: "Import it as ORGANIZATION/POOL-NAME.",
  },
  "pool-not-certain": {
    says: "...: the service returns 404 for it, but lists it",
    cause: "The token may list pools but not read them.",
    remedy: "Check what the token may do, and try again.",
  },
  "pool-and-organization-missing": {
    says: "Agent pool ... can't be found, and neither can organization ...",
    cause: "They are missing, or the token may not see them. The state keeps the pool.",
    remedy: "Check the organization's name, and what the token may list.",
  },
  "pool-in-use": {
    says: "... can't be deleted now, and stays in the state. ...",
    cause: "Agents run in the pool, or workspaces are attached to it.",
    remedy:
      "Give the workspaces another pool or execution mode. Stop the agents, or set `forceDestroy: true`, which removes those that have ended.",
  },
  "pool-workspaces-unknown": {
    says: "allowedWorkspaceIds: ... can't be updated without them",
    cause: "The service does not return them, and an update has to send them.",
    remedy: "Set `allowedWorkspaceIds` (`[]` for none), and not among `ignoreChanges`.",
  },
} satisfies Entries;

const methods = {
  "secret-not-given": {
    says: "the server holds a secret that the program does not give",
    cause: "A change of `config` would erase it, so nothing was sent.",
    remedy: "Give it, and not among `ignoreChanges`. For a method without a secret, take the method out of the program for one update.",
  },
  "secret-unknown": {
    says: "others have changed this secret, or may have",
    cause: "The program ignores it, and a change of `config` needs it.",
    remedy: "Give it and take it out of `ignoreChanges` for one update, or change `config` where the secret is managed.",
  },
  "config-erased": {
    says: "config: others have erased all of it",
    cause: "An update by others left `Config` out. Nothing was sent.",
    remedy: "`pulumi refresh`, then the update again: it writes the whole `config`.",
  },
  "replaced-by-others": {
    says: "... is not the one of the state: that was made ...",
    cause: "Others deleted the object and made another one of its name.",
    remedy:
      'To manage that one, run `pulumi refresh` with `AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true`, then the update with `adopt: "overwrite"`.',
  },
  "made-anew": {
    says: "... was deleted by others between the read and the write",
    cause: "On this server an update creates what does not exist.",
    remedy: "`pulumi refresh` says how to go on. To have the object gone, remove it from the program.",
  },
  "create-overwrote": {
    says: "has replaced another of that name that someone else made",
    cause: "It was made between the read and the write, and this server raises no conflict.",
    remedy: 'Agree whose it is; then set `adopt: "overwrite"`, or restore theirs.',
  },
  "method-create-unclear": {
    says: "...: the response to its create was lost",
    cause: "A method with this content is on the server, and no read shows whose secret it has.",
    remedy: 'Run the update again with `adopt: "overwrite"`, which writes all of it.',
  },
  "default-taken": {
    says: "default: ... can't be the default",
    cause: "Another method is the default, and there is one in a cluster.",
    remedy: "Set the other one's `default` to false, in an earlier update if it is being removed.",
  },
  "default-not-given-back": {
    says: "The default had been taken from ... for this, and could not be given back",
    cause: "Two writes failed.",
    remedy: "Run the update again soon: until then a login that names no method may find none.",
  },
  "method-not-updatable": {
    says: "... on this server ... It gives no hash of auth methods",
    cause:
      "The server [follows the API's document](resources.md#servers-that-follow-the-api-documents-to-the-letter), where some methods can't be updated.",
    remedy: "`pulumi up --replace URN` with `deleteBeforeReplace: true`.",
  },
  "rights-would-mix": {
    says: "... Together they would grant unintended rights",
    cause: "Others changed a part of the rule that the program leaves as it is. Nothing was written.",
    remedy: "`pulumi refresh` shows their change; the next update writes the program's values.",
  },
  "rule-not-named": {
    says: "There is no ACL binding rule ... There are ... ACL binding rules of ... has no auth method ...",
    cause: "No rule, or several, have this name.",
    remedy: "Give METHOD/DESCRIPTION, METHOD/SELECTOR, or one of the IDs in the message.",
  },
  "listed-not-read": {
    says: "... lists ..., and returns a 404 for it",
    cause: "Others change the object at this moment, or the region lags.",
    remedy: "Try again, or set `agentpool-acl:clusterRegion` to the authoritative region.",
  },
} satisfies Entries;

const tokens = {
  "token-in-use": {
    says: "ACL token ... is the token by which this program sends its requests",
    cause: "To change or delete it may lock the program out halfway.",
    remedy: "Configure another management token, or take the token out of the program with `pulumi state delete`.",
  },
  "accessor-invalid": {
    says: "... is not the accessor of an ACL token",
    cause: "Names of tokens are not unique, so an import or a look-up takes the accessor alone.",
    remedy: "Give the AccessorID, a UUID: `nomad acl token list` shows it.",
  },
} satisfies Entries;

/**
 * Every error for users, by its area and its code: what its message says, why it happens, and what to do. Only the codes are used at run
 * time; the texts are for the documents (`npm run generate`), and messages name the objects that they are about.
 */
export const userErrors = { configuration, programs, objects, pools, methods, tokens, functions: functionErrors };

type Areas = typeof userErrors;

export type UserErrorCode = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];
