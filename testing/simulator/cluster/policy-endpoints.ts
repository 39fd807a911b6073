import { checkPolicy } from "../../../access/policy/check";
import type { Endpoint } from "./endpoint";
import { byMethod, caller, listOf, mayRead, permissionDenied, readOf, remove, shown, write } from "./endpoint";
import { policyForm } from "./forms";
import type { JobAcl, Policy, PolicyBody } from "./objects";
import { changedPolicy, policies } from "./policies";
import { refuseInvalid } from "./refusal";
import { roles } from "./roles";
import type { ClusterStore } from "./store";
import type { Tables } from "./table";
import type { ClusterToken } from "./tokens";

const upsertPolicy = write(
  policyForm,
  ({ Name }) => Name,
  "ACL policy name",
  ({ store }, body) => writePolicy(store, body),
);

export const policyEndpoints: [path: string, endpoint: Endpoint][] = [
  [
    "/v1/acl/policies",
    byMethod({
      GET: listOf(policies, (policy, { dialect }) => policyStub(dialect.shown(policy)), {
        authorize: caller,
        choose: (rows, context, tables) => {
          const prefix = context.request.query.get("prefix") ?? "";
          return rows.filter(({ Name }) => Name.startsWith(prefix) && mayReadPolicy(caller(context), Name, tables));
        },
      }),
    }),
  ],
  ["/v1/acl/policy", () => ({ status: 307, headers: { location: "/v1/acl/policy/" } })],
  [
    "/v1/acl/policy/",
    byMethod(
      {
        GET: readOf(policies, "ACL policy not found", shown, {
          authorize(context, name) {
            if (!mayReadPolicy(caller(context), name, context.store.tables)) throw permissionDenied();
          },
        }),
        POST: upsertPolicy,
        // Unlike for other objects, the delete of a missing policy succeeds.
        DELETE: remove(policies, undefined),
      },
      "Missing Policy Name",
    ),
  ],
];

/** A client token may read only its own policies, and the policies of its roles. */
function mayReadPolicy(token: ClusterToken, name: string, tables: Tables): boolean {
  if (token.type === "management" || token.policies?.includes(name)) return true;
  return [...tables.of(roles).values()].some((role) => mayRead(token, role) && role.Policies.some(({ Name }) => Name === name));
}

/** The response has no body. @throws Refusal 400 for an invalid policy */
function writePolicy(store: ClusterStore, body: PolicyBody): undefined {
  const errors: string[] = [];
  if (!/^[a-zA-Z0-9-]{1,128}$/.test(body.Name)) errors.push(`invalid name '${body.Name}'`);
  const [problem] = checkPolicy(body.Rules);
  if (problem) errors.push(`failed to parse rules: At ${problem.line}:${problem.column}: ${problem.message}`);
  if (Buffer.byteLength(body.Description) > 256) errors.push("description longer than 256");
  errors.push(...jobErrors(body.JobACL));
  refuseInvalid("policy", errors);
  store.policies.write(changedPolicy(undefined, body));
}

function jobErrors(job: JobAcl | null): string[] {
  if (job === null) return [];
  const errors: string[] = [];
  if (job.JobID !== "" && job.Namespace === "") errors.push("namespace must be set to set job ID");
  if (job.Group !== "" && job.JobID === "") errors.push("job ID must be set to set group");
  if (job.Task !== "" && job.Group === "") errors.push("group must be set to set task");
  return errors;
}

/** A policy in the list: without its rules. */
function policyStub({ Rules: _, ...stub }: Omit<Policy, "Hash">): object {
  return stub;
}
