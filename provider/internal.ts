/**
 * The provider for this package's own commands and functions of access: kinds, fields, configuration, sessions, and the words of errors.
 * Nothing of it is public. A load of this module loads neither undici nor gRPC.
 */

export { defined, pick } from "../common/own-property";
export { secretSignature, signatureKey, unknownMarker } from "./adapters/markers";
export type { Agent, AgentPool, AgentPoolsClient } from "./apis/agent-pools/client";
export type { AuthMethod, BindingRule, ClusterClient, TokenStub } from "./apis/cluster/client";
export { isApiError, isDenied, isNotFound } from "./apis/http/errors";
export { Clients } from "./configuration/clients";
export { configuration, namespace, type Resolved, resolveConfiguration, type SettingKey, type Settings } from "./configuration/config";
export { packageRoot, packageVersion } from "./configuration/package";
export { clusterAddressForm, poolsAddressForm } from "./configuration/service-address";
export { dynamicType, pluginToken } from "./configuration/tokens";
export { defineFunction, InvalidArgumentsError, orMissing } from "./functions/definition";
export { goModule, pluginDownloadUrl } from "./generated/source";
export { readOrMissing } from "./lifecycle/gone";
export type { Listed, Resource, ResourceState } from "./lifecycle/resource";
export { formatPath, type Path } from "./model/check";
export { changesOf } from "./model/diff";
export { type Field, type Fields, field, mayBeLeftOut, propertiesOf } from "./model/fields";
export { parsePath } from "./model/ignored";
export type { Properties } from "./model/remote";
export { haveOtherRegions, otherThan, relationOf } from "./model/servers";
export { withoutDefaults } from "./model/state";
export { listOf, someOf } from "./model/text";
export { type CallContext, Session } from "./operation/call-context";
export { resources } from "./resources";
export { aclBindingRule } from "./resources/acl-binding-rule";
export { aclRole } from "./resources/acl-role";
export { agentPool } from "./resources/agent-pool";
export { agentLabel, leftAfterRemoval, removable } from "./resources/agent-pool-delete";
export { organizationOf } from "./resources/agent-pool-organization";
export { withoutServerDefaults } from "./resources/auth-method/config";
