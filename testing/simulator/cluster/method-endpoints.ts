import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, listOf, readOf, remove, write } from "./endpoint";
import { methodForm } from "./forms";
import { methods } from "./methods";
import type { AuthMethod } from "./objects";

const shownMethod = (method: AuthMethod, { dialect }: ClusterContext) => dialect.methods.shown(method);

const writeMethod = write(
  methodForm,
  ({ Name }) => Name,
  "ACL auth-method name",
  ({ store, dialect: { methods } }, body, name) => methods.shown(methods.write(store, body, name !== "")),
);

export const methodEndpoints: [path: string, endpoint: Endpoint][] = [
  // Only the list needs no token. It ignores even an invalid one.
  [
    "/v1/acl/auth-methods",
    byMethod({ GET: listOf(methods, (method, { dialect }) => dialect.methods.stub(method), { authorize: () => {} }) }),
  ],
  ["/v1/acl/auth-method", byMethod({ POST: writeMethod })],
  [
    "/v1/acl/auth-method/",
    byMethod(
      {
        GET: readOf(methods, "ACL auth-method not found", shownMethod),
        POST: writeMethod,
        DELETE: remove(methods, "ACL auth method not found"),
      },
      "missing ACL auth-method name",
    ),
  ],
];
