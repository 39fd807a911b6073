import { functionErrors } from "./function-errors";
import type { Entry } from "./user-error-areas";

const isRegion = "Read from the authoritative region (`agentpool-acl:clusterRegion`), which never lags behind a write.";

/**
 * Every error for users, by its code: what its message says, why it happens, and what to do. Only the codes are used at run time; the texts
 * are for the documents (`npm run generate`), and messages name the objects that they are about.
 */
export const userErrors = {
  "configuration-invalid": {
    area: "configuration",
    says: "The configuration can't be used: ... must be ...",
    cause:
      "Values of the configuration are not of their form, such as a time-out that is no number. The message names each key. With the plugin, the engine reports `resource 'default_...' has a problem: maxRetries must be 0 or more`.",
    remedy: "Correct them: `pulumi config set agentpool-acl:KEY VALUE`, or the environment variable.",
  },
  "service-not-configured": {
    area: "configuration",
    says: "The ... API is not configured: ...",
    cause:
      "The address or the token of a service that the program uses is missing. Without an address, a preview fails, too; without a token, the first request does, and a preview warns.",
    remedy:
      "Set what the message names. A destroy or refresh uses the configuration of the last update: there, set the environment variable or add `--run-program`.",
  },
  "address-invalid": {
    area: "configuration",
    says: "The address that comes from ... must be like https://host.example.com:4646",
    cause:
      "The address has no http or https, or has a user, a query or a fragment. It is not shown, because it may hold a password. With the plugin, the engine reports `resource 'default_...' has a problem: clusterAddress must be like ...`.",
    remedy: "Correct the address where the message says that it comes from.",
  },
  "proxy-unusable": {
    area: "configuration",
    says: "The environment variable ... must be the address of a proxy",
    cause: "`HTTPS_PROXY` or `HTTP_PROXY` is set to something else. Its value is not shown, because it may hold a password.",
    remedy: "Correct the variable, or except the service by `NO_PROXY`.",
  },
  "certificate-unreadable": {
    area: "configuration",
    says: "What comes from ... is neither PEM text nor the path of a file that can be read",
    cause: "A certificate or key is given as something else, or its file is missing or not readable.",
    remedy: "Give the PEM text itself, or the path of its file, relative to the program's folder.",
  },
  "log-level-unknown": {
    area: "configuration",
    says: "The environment variable ... must be debug or off.",
    cause: "`AGENTPOOL_ACL_LOG` has another value.",
    remedy: "Correct the variable, or unset it: [the log of requests](configuration.md#the-log-of-requests) is off by default.",
  },
  "log-unusable": {
    area: "configuration",
    says: "The file that comes from ..., ..., can't be written by its owner alone: ...",
    cause:
      "The file of `AGENTPOOL_ACL_LOG_FILE` can't be opened, is a symbolic link, or is another user's. Others could read it, or choose which file is written to.",
    remedy: "Name a file of your own in a folder that exists and may be written to. A relative path begins at the project's folder.",
  },
  "provider-not-configured": {
    area: "configuration",
    says: "The provider has not been configured yet.",
    cause: "A connection to a plugin that was started by hand was opened again, after half an hour without a call.",
    remedy: "Run the operation again.",
  },
  "schema-version": {
    area: "configuration",
    says: "There is no schema of version ...",
    cause: "A tool asks for a newer form of schemas than this plugin has.",
    remedy: "Use a newer version of this package.",
  },
  "unknown-token": {
    area: "configuration",
    says: "The provider ... has no ...",
    cause: "A program or a state has a resource or a function that this version of the plugin does not have.",
    remedy: "Check the spelling, and that the SDK and the plugin are of the same version.",
  },
  "policy-option-invalid": {
    area: "programs",
    says: "accessPolicies: ...",
    cause: "An option of `accessPolicies` of `pulumi-agentpool-acl/policies` has another form, or names a policy that does not exist.",
    remedy: "Correct the option as the message says: [guardrails](policies.md).",
  },
  "dynamic-import": {
    area: "programs",
    says: "... a dynamic resource can't be imported. ...",
    cause: "Pulumi's dynamic resources have no import.",
    remedy: "Take the object over with `adopt: true`, or use the plugin's classes (`pulumi-agentpool-acl/plugin`).",
  },
  "dynamic-provider": {
    area: "programs",
    says: "... a dynamic resource has no provider of its own, and takes the stack's configuration. ...",
    cause: "The option `provider` is given to a dynamic resource.",
    remedy: "Leave the option out, or use the plugin's classes (`pulumi-agentpool-acl/plugin`).",
  },
  "package-not-found": {
    area: "programs",
    says: "pulumi-agentpool-acl can't be found from the program's folder (...), where the engine loads it from.",
    cause: "The package is only a dependency of a dependency of the program.",
    remedy:
      "`npm install FILE` in the program's folder, with the file that `npm pack` makes. Within a process: [the Automation API](automation.md).",
  },
  "list-without-value": {
    area: "programs",
    says: "... is given as an output that has no value (undefined). ...",
    cause:
      "`allowedWorkspaceIds` comes from an output or a promise that resolves to nothing. Without a list the pool would be open to all workspaces.",
    remedy: "Give a list in any case (`[]` for no workspace), or leave the input out and write `organizationScoped`.",
  },
  "function-with-provider": {
    area: "programs",
    says: "... for functions of the plugin. This one runs in the program, with the stack's configuration. ...",
    cause: "A function of the dynamic package is given a provider, a version or an address of a plugin, or a parent with a provider.",
    remedy: "Import the function from `pulumi-agentpool-acl/plugin`, or leave the option out.",
  },
  "property-refused": {
    area: "objects",
    says: "PROPERTY: METHOD ADDRESS: ...",
    cause: "The service refuses a property, whose name begins the message; what follows is the error of the request.",
    remedy: "See [errors of requests](#errors-of-requests).",
  },
  "values-not-kept": {
    area: "objects",
    says: "The server ... but returned other values than were sent for ...",
    cause: "The object exists, and the server has stored something else than the inputs. The state has what the server returned.",
    remedy: "Compare the values with what the server supports, run `pulumi refresh`, then the update again.",
  },
  "managed-by-another": {
    area: "objects",
    says: "... Another resource of this program manages it, and one object can't have two resources. ...",
    cause:
      "Two resources have the same name, or content. A preview says it as `name is the same in the resources ...`, if it knows the names.",
    remedy:
      "Give one of them another name, or content. Where the other resource gives the object up in the same update, run the update again.",
  },
  "exists-already": {
    area: "objects",
    says: "... exists already ... It was not touched. ...",
    cause: "Others made the object, or an earlier update that was interrupted.",
    remedy:
      "[Adopt or import it](resources.md#an-object-that-exists-already). If the resource was renamed in the program, give it an alias to its old name. " +
      "For a forced replacement (`--replace`), set `deleteBeforeReplace: true` in the program: the engine does not call the provider's diff then, and creates first.",
  },
  "adoption-differs": {
    area: "objects",
    says: "... adopt: true takes over only what equals the inputs, and it differs in ...",
    cause: "The object that exists has other values than the program.",
    remedy: 'Change the inputs to what is there, or set `adopt: "overwrite"`.',
  },
  "adoption-not-comparable": {
    area: "objects",
    says: "... adopt: true takes over only what equals the inputs, and the API does not return ...",
    cause: "The program gives a value that the API never returns, such as a client secret, so that it can't be compared.",
    remedy: 'Leave the value out of the program to keep what the server has, or set `adopt: "overwrite"` to write it.',
  },
  "adoption-unavailable": {
    area: "objects",
    says: "... was not taken over: ...",
    cause: "The folder through which the providers of an update share what they hold can't be used: it is another user's, or not writable.",
    remedy: "Set `TMPDIR` to a folder of your own, and run the update again.",
  },
  "taken-over-by-another": {
    area: "objects",
    says: "... another resource of this program, with adopt, has taken it over in this update. ...",
    cause: "Two resources of the program are about one object.",
    remedy: "Remove this one from the state with `pulumi state delete`; the next update creates a separate object for it.",
  },
  "under-two-servers": {
    area: "objects",
    says: "... another provider of this program has one of the same identity on ...",
    cause: "Two addresses lead to one cluster, or a cluster was restored from another one's snapshot.",
    remedy:
      "If it is one cluster, give both providers the same address. If there are two, run the operation for this resource alone, with `--target` and its URN.",
  },
  gone: {
    area: "objects",
    says: "... no longer exists ..., so it can't be updated. ...",
    cause: "Someone removed the object outside of this program.",
    remedy: "`pulumi refresh`, or `pulumi up --refresh`, which creates it again.",
  },
  "nothing-there": {
    area: "objects",
    says: "There is no ... Check the ID that was given, and the server that is configured.",
    cause: "An import or a `get` names an object that the server does not have.",
    remedy:
      "Correct the ID: of an auth method its name; of a role its ID or name; of a binding rule its ID, METHOD/DESCRIPTION or METHOD/SELECTOR; of a pool its ID or ORGANIZATION/POOL-NAME.",
  },
  "other-server": {
    area: "objects",
    says: "... is not on ... The state says that it was on ..., so nothing is concluded and the state keeps it. ...",
    cause: "The configured server is not the one of the state, and does not have the object.",
    remedy:
      "Correct the address or the region; if the server was moved or restored without the object, see [moving to another server](moving.md#to-another-server).",
  },
  "replacement-elsewhere": {
    area: "objects",
    says: "...: nothing was created on ..., which is configured, because the object that it replaces is on ... in the state. ...",
    cause: "The configured server is not the one of the state. A replacement creates first, so that its delete would fail after that.",
    remedy: "Correct the address; if it is the same service under a new one, see [moving to another server](moving.md#to-another-server).",
  },
  "names-in-circle": {
    area: "objects",
    says: "... the names of this program's resources change in a circle (...), ...",
    cause: "Resources exchange their names. A name is unique, so that each update finds its new name taken, however often it is run.",
    remedy: "Give one of them a temporary name in an update of its own, and then all their new names.",
  },
  "not-certain": {
    area: "objects",
    says: "... Nothing is concluded from it, and the state keeps the object. ...",
    cause: "The region's store is older than the object's last change: it lags, is a backup, or belongs to another cluster.",
    remedy: `${isRegion} For a server that was restored from a backup, see [moving to another server](moving.md#to-another-server).`,
  },
  "region-lags": {
    area: "objects",
    says: "... it lags behind the region that takes the writes. Nothing was created. ...",
    cause: "The region that is read from does not show what the region that takes the writes has.",
    remedy: `Run the update again when it has caught up. ${isRegion}`,
  },
  "delete-blocked": {
    area: "objects",
    says: "... can't be deleted now, and stays in the state. The server returned ...",
    cause: "The server refuses the delete of an auth method, role or rule because of its state. Schedulers that were measured don't.",
    remedy: "Remove what the response names, then run the update again.",
  },
  "probe-accepted": {
    area: "objects",
    says: "... the server has accepted an update that every server should refuse, and that only checks whether the object exists. ...",
    cause: "The server is of a version that accepts an update without the required values.",
    remedy:
      '`pulumi up --refresh` writes the program\'s values again; for an object that was to be adopted, `adopt: "overwrite"` does. Report the version of the server.',
  },
  "create-unclear": {
    area: "operations",
    says: "The create got no response, and looking for what it made failed: ...",
    cause: "The connection broke after a create was sent, and stayed broken.",
    remedy: "Run the update again: if the object exists, the error says how to take it over.",
  },
  "as-told-before": {
    area: "operations",
    says: "... Another error of this operation says why, and what to do.",
    cause: "Several objects met the same fault, such as a refused token or a server that can't be reached. It is explained once.",
    remedy: "Do what the other error says.",
  },
  "ended-early": {
    area: "operations",
    says: "... Nothing new was begun; run it again to go on.",
    cause: "The operation was cancelled (Ctrl-C), or took longer than the resource's `customTimeouts`. A running write was completed.",
    remedy: "Run it again; for a time-out with a longer one.",
  },
  "siblings-lost": {
    area: "operations",
    says: "The folder through which the providers of one update publish what they hold was removed: ...",
    cause: "Something has cleared the folder for temporary files during the update.",
    remedy: "Run the update again, with `TMPDIR` as a folder that stays.",
  },
  "organization-unknown": {
    area: "pools",
    says: "... organization is not known...",
    cause: "Neither the resource, the function nor the configuration names the organization.",
    remedy: "Set `agentpool-acl:organization` or `TFE_ORGANIZATION`; import a pool as ORGANIZATION/POOL-NAME.",
  },
  "organization-missing": {
    area: "pools",
    says: "... organization ... does not exist, or the token may not see it: the service returns 404 for both.",
    cause: "The organization's name is wrong, or the token is of another organization.",
    remedy: "Correct the name, or use a token that may see the organization.",
  },
  "pool-id-unknown": {
    area: "pools",
    says: "There is no agent pool ... Give its ID, apool-..., or ORGANIZATION/POOL-NAME.",
    cause: "An import or a `get` names a pool that the token does not see.",
    remedy: "Give the pool's ID, or its organization and its name.",
  },
  "pool-in-another-organization": {
    area: "pools",
    says: "... is not in organization ..., and a response does not say which one it is in. ...",
    cause: "The ID is of a pool in another organization than the configured one.",
    remedy: "Import it as ORGANIZATION/POOL-NAME.",
  },
  "pool-not-certain": {
    area: "pools",
    says: "...: the service returns 404 for the pool, but lists it in organization ...",
    cause: "The service contradicts itself, mostly because the token may list pools and not read them.",
    remedy: "Check what the token may do, and try again. The state keeps the pool.",
  },
  "pool-and-organization-missing": {
    area: "pools",
    says: "Agent pool ... can't be found, and neither can organization ...",
    cause: "The service returns 404 both for missing objects and for those that the token may not see.",
    remedy: "List the organization's agent pools with the token, and check the organization's name. The state keeps the pool.",
  },
  "pool-in-use": {
    area: "pools",
    says: "... can't be deleted now, and stays in the state. ...",
    cause: "Agents run in the pool, or workspaces are attached to it. The message names both.",
    remedy:
      "Detach the workspaces: give them another agent pool, or another execution mode. Stop the agents, or set `forceDestroy: true`, which removes those that have ended.",
  },
  "pool-workspaces-unknown": {
    area: "pools",
    says: "allowedWorkspaceIds: ... can't be updated without them. ...",
    cause: "An update has to send the workspaces that may use the pool, and this service does not return them.",
    remedy: "Set `allowedWorkspaceIds` in the program (`[]` for none), and not among its `ignoreChanges`.",
  },
  "secret-not-given": {
    area: "methods",
    says: "...: the server holds a secret that the program does not give...",
    cause:
      "A change of `config` replaces all of it, and would erase a secret that only the server has; or a new method would be without a secret that others have set. Nothing was sent.",
    remedy:
      "Give the secret in the program, and not among its `ignoreChanges`. To have a method without one, take it out of the program for one update.",
  },
  "secret-unknown": {
    area: "methods",
    says: "...: others have changed this secret, or may have, and nobody can read what it is now. ...",
    cause: "The program leaves the secret to others (`ignoreChanges`), and a change of `config` needs it.",
    remedy:
      "Give the secret as it is to be, and take it out of `ignoreChanges` for one update; or change `config` where the secret is managed.",
  },
  "config-erased": {
    area: "methods",
    says: "config: others have erased all of it since the state was written, ...",
    cause: "An update by others left `Config` out. What the program changes of it would be all that there is, so that nothing was sent.",
    remedy: "`pulumi refresh`, then the update again: it writes the whole `config`.",
  },
  "method-replaced": {
    area: "methods",
    says: "... is not the one of the state: that was made ..., this one ...",
    cause: "Others deleted the method and made another one of its name.",
    remedy:
      'To manage the new one, remove the resource from the state with `pulumi state delete` and run the update with `adopt: "overwrite"`.',
  },
  "method-recreated": {
    area: "methods",
    says: "... was deleted by others between the read and the write of this update, ...",
    cause: "On this server an update creates what does not exist. The message says whose method it is now.",
    remedy: "`pulumi refresh`, which says how to go on. To have the method gone, remove it from the program.",
  },
  "method-overwritten": {
    area: "methods",
    says: "The create of ACL auth method ... has replaced a method of that name that someone else made at ...",
    cause: "Others made a method of the same name between the read and the write of this update, and this server raises no conflict.",
    remedy: 'Agree with them whose it is; then set `adopt: "overwrite"` to keep it here, or restore theirs.',
  },
  "method-create-unclear": {
    area: "methods",
    says: "...: the response to its create was lost. It is not known whether the write took effect: ...",
    cause: "A method with this content is on the server, and no read shows whose secret it has.",
    remedy: 'Run the update again with `adopt: "overwrite"`, which writes all of it.',
  },
  "default-taken": {
    area: "methods",
    says: "default: ACL auth method ... can't be the default, because ... is, and there is one default in a cluster. ...",
    cause: "Another auth method is the default.",
    remedy: "Set the other one's `default` to false, in an earlier update if it is being removed; or change it where it is managed.",
  },
  "default-not-given-back": {
    area: "methods",
    says: "... The default had been taken from ... for this, and could not be given back: ...",
    cause: "A write failed after the default was taken from the other method, and the write that gives it back failed, too.",
    remedy: "Run the update again soon: until then a login that names no method may find none.",
  },
  "method-not-updatable": {
    area: "methods",
    says: "... on this server ... It gives no hash of auth methods, as the API's document has it, ...",
    cause: "The server follows the API's document to the letter, where an update takes OIDC methods only, and not all of their fields.",
    remedy:
      "Have the method made anew: `pulumi up --replace URN` with `deleteBeforeReplace: true`. See what [differs](resources.md#servers-that-follow-the-api-documents-to-the-letter) on such servers.",
  },
  "rights-would-mix": {
    area: "rules",
    says: "... Together they would grant unintended rights, so nothing was written. ...",
    cause: "Others changed a part of the rule that the program leaves as it is, and the program changes another part.",
    remedy: "`pulumi refresh` shows their change; the update after it writes the program's values.",
  },
  "rule-not-named": {
    area: "rules",
    says: "There is no ACL binding rule ... There are ... ACL binding rules of ... has no auth method ...",
    cause: "A rule is named by its method and its description or selector, and none or several have that; or there is no such method.",
    remedy: "Give the ID of one that the message lists. A description on its own is no name: the method comes first.",
  },
  "rule-not-certain": {
    area: "rules",
    says: "... lists ..., and returns a 404 for its ID. Nothing is concluded from that: try again.",
    cause: "The rule is created or deleted by others at this moment, or the region lags.",
    remedy: `Try again. ${isRegion}`,
  },
  ...functionErrors,
} satisfies Record<string, Entry>;

export type UserErrorCode = keyof typeof userErrors;
