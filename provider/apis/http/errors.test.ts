import { methods } from "../cluster/auth-method";
import { rules } from "../cluster/binding-rule";
import { policies } from "../cluster/policy";
import { roles } from "../cluster/role";
import { tokens } from "../cluster/token";
import { ApiError, type Call, type Effect, isApiError, isNotFound, type Refusal, type Service } from "./errors";
import { errorOfResponse, readErrorBody } from "./response";

const kinds = { methods, policies, roles, rules, tokens };

/** The refusals of the clients' requests. Here, requests to the cluster have the refusals of all its kinds. */
const refusalsOf: Record<Service, readonly Refusal[]> = {
  cluster: Object.values(kinds).flatMap(({ refusals }) => refusals),
  "agent pools": [],
};

const call = (service: Service, operation: Effect, refusals: readonly Refusal[] | undefined = refusalsOf[service]): Call => ({
  service,
  operation,
  refusals,
  method: "GET",
  path: "/v1/thing",
  url: "http://127.0.0.1:4646/v1/thing",
  tokenSource: "The token comes from the environment variable NOMAD_TOKEN.",
  tries: 1,
});

function judge(service: Service, operation: Effect, status: number, text: string, headers: Record<string, string> = {}): ApiError {
  const error = errorOfResponse(call(service, operation), { status, text, headers: new Map(Object.entries(headers)), at: 0 }, () => []);
  if (!error) throw new Error(`${status} was taken for a success`);
  return error;
}

const acl = "cluster";
const pools = "agent pools";
const html = "<!doctype html><html><head><title>Oops</title></head></html>";
const notFoundDocument = '{"errors":[{"status":"404","title":"not found"}]}';

describe("the kind of an error", () => {
  it.each<[string, Service, Effect, number, string]>([
    ["not-found", acl, "read", 404, "ACL role not found"],
    ["not-found", acl, "read", 404, "ACL auth-method not found"],
    ["not-found", acl, "read", 404, "ACL binding rule not found"],
    ["not-found", acl, "delete", 500, "ACL auth method not found"],
    ["not-found", acl, "replace", 400, "cannot find role 00000000-0000-0000-0000-000000000000"],
    ["not-found", acl, "replace", 400, "cannot find binding rule 00000000-0000-0000-0000-000000000000"],
    ["not-found", pools, "read", 404, notFoundDocument],
    ["not-found", pools, "read", 404, '{"errors":[{}]}'],
    ["wrong-address", acl, "read", 404, ""],
    ["wrong-address", acl, "read", 404, "404 page not found"],
    ["wrong-address", acl, "read", 404, `${html}ACL role not found`],
    ["wrong-address", acl, "read", 404, notFoundDocument],
    ["wrong-address", pools, "read", 404, ""],
    ["wrong-address", pools, "read", 404, '{"errors":[]}'],
    ["wrong-address", pools, "read", 404, '{"errors":["no handler for route"]}'],
    ["wrong-address", pools, "read", 404, "ACL role not found"],
    ["wrong-address", pools, "read", 404, '{"error":"not found"}'],
    ["wrong-address", acl, "read", 410, "ACL role not found"],
    ["wrong-address", acl, "read", 405, "Invalid method"],
    ["wrong-address", acl, "read", 200, html],
    ["wrong-address", acl, "read", 301, ""],
    ["denied", acl, "read", 403, "Permission denied"],
    ["denied", acl, "delete", 403, "ACL token not found"],
    ["denied", pools, "read", 401, '{"errors":[{"status":"401"}]}'],
    ["blocked", pools, "delete", 412, '{"errors":[{"title":"agent is busy"}]}'],
    ["blocked", pools, "delete", 409, "in use"],
    ["blocked", pools, "delete", 422, '{"errors":[{"title":"has workspaces"}]}'],
    ["conflict", acl, "create", 400, "role with name dev already exists"],
    ["conflict", acl, "replace", 500, "role with name dev already exists"],
    [
      "conflict",
      pools,
      "create",
      422,
      '{"errors":[{"detail":"Name has already been taken","source":{"pointer":"/data/attributes/name"}}]}',
    ],
    ["conflict", pools, "replace", 409, ""],
    ["rejected", acl, "create", 400, "default method already exists: sso"],
    ["rejected", acl, "create", 400, "cannot find policy dev"],
    ["rejected", acl, "create", 400, "ACL auth method sso not found"],
    ["rejected", pools, "create", 422, '{"errors":[{"detail":"is invalid"}]}'],
    ["rejected", pools, "create", 413, html],
    ["rejected", pools, "replace", 412, ""],
    ["rate-limited", pools, "read", 429, html],
    ["unavailable", acl, "read", 500, "ACL role not found"],
    ["unavailable", acl, "delete", 500, "ACL token not found"],
    ["unavailable", acl, "delete", 502, `${html} role not found`],
    ["unavailable", acl, "read", 408, ""],
    ["unavailable", acl, "create", 503, "already running"],
  ])("is %s: %s, %s, %i %j", (kind, service, operation, status, text) => {
    expect(judge(service, operation, status, text).kind).toBe(kind);
  });

  it.each<[keyof typeof kinds, string, string, string]>([
    [
      "methods",
      "ACL auth-method not found",
      "ACL auth method sso not found",
      "auth method 0 invalid: 1 error occurred: invalid config: missing auth method Config",
    ],
    ["roles", "ACL role not found", "ACL role dev not found", "cannot find role 0000"],
    ["rules", "ACL binding rule not found", "ACL binding-rule 0000 not found", "cannot find binding rule 0000"],
  ])(
    "is not-found by the cluster's texts about %s, but not by its texts about another kind",
    (kind, unknown, undeletable, unchangeable) => {
      for (const [asked, { refusals }] of Object.entries(kinds)) {
        const about = (operation: Effect, status: number, text: string) =>
          errorOfResponse(call(acl, operation, refusals), { status, text, headers: new Map(), at: 0 }, () => [])?.kind;
        const found = [about("read", 404, unknown), about("delete", 500, undeletable), about("replace", 400, unchangeable)];
        expect([asked, found]).toEqual([asked, asked === kind ? Array(3).fill("not-found") : ["wrong-address", "unavailable", "rejected"]]);
      }
    },
  );

  it("is about no object if the request has no refusals", () => {
    const about = (operation: Effect, status: number, text: string) =>
      errorOfResponse({ ...call(acl, operation), refusals: undefined }, { status, text, headers: new Map(), at: 0 }, () => [])?.kind;
    expect(about("read", 404, "ACL role not found")).toBe("wrong-address");
    expect(about("delete", 500, "ACL role not found")).toBe("unavailable");
    expect(about("replace", 400, "cannot find role 0000")).toBe("rejected");
  });

  it("is undefined for a success, unless its body is an HTML page", () => {
    expect(errorOfResponse(call(acl, "read"), { status: 200, text: "[]", headers: new Map(), at: 0 }, () => [])).toBeUndefined();
    expect(
      errorOfResponse(call(pools, "delete"), { status: 204, text: "", headers: new Map([["content-type", "text/html"]]), at: 0 }, () => []),
    ).toBeUndefined();
  });
});

describe("a fault of the server", () => {
  it("is not retried if its text names the outcome of the write", () => {
    for (const text of ["ACL role not found", "role with name a already exists", "No path to region"]) {
      expect(judge(acl, "replace", 500, text)).toMatchObject({ transient: false, ambiguous: false });
    }
    expect(judge(acl, "replace", 500, "rpc error")).toMatchObject({ transient: true, ambiguous: true });
    expect(judge(acl, "read", 500, "rpc error")).toMatchObject({ transient: true, ambiguous: false });
    expect(judge(acl, "replace", 501, "")).toMatchObject({ transient: false });
  });

  it("names the setting if the cluster does not have the region", () => {
    expect(judge(acl, "read", 500, "No path to region").message).toContain("check agentpool-acl:clusterRegion");
  });
});

describe("a message", () => {
  it("names the request and its error, and the source of a refused token", () => {
    expect(judge(acl, "read", 403, "Permission denied").message).toBe(
      "GET http://127.0.0.1:4646/v1/thing: 403 Permission denied. Check that the token is valid, and what it may do. " +
        "The token comes from the environment variable NOMAD_TOKEN.",
    );
  });

  it("is one short line without control characters", () => {
    const { detail } = judge(acl, "create", 400, `\u001b[31m1 error occurred:\n\t* ${"x".repeat(900)}\u202e\n\n`);
    expect(detail).toMatch(/^\[31m1 error occurred: \* x+\.\.\.$/);
    expect(detail.length).toBeLessThan(510);
  });

  it("has the status's name in place of an empty body, and the title of an HTML page", () => {
    expect(judge(acl, "read", 404, "").message).toContain("404 Not Found (empty body). This is not a response of the cluster API");
    expect(judge(acl, "read", 502, html).message).toContain('502 an HTML page ("Oops")');
  });

  it("lists the errors of a JSON:API document, with any of their fields", () => {
    const error = judge(
      pools,
      "create",
      422,
      '{"errors":[{"title":"invalid","detail":"is too long","source":{"pointer":"/data/attributes/name"}},{"title":"odd"},{"source":{"pointer":"/data"}},{"detail":7}]}',
    );
    expect(error.detail).toBe("is too long (/data/attributes/name); odd; refused (/data)");
  });

  it("about a role with a missing policy has the remedy", () => {
    expect(judge(acl, "create", 400, "cannot find policy p").message).toContain("or create it first");
  });

  it("has the single errors of the cluster's lists", () => {
    const text = "auth method 0 invalid: 2 errors occurred:\n\t* invalid token locality 'x'\n\t* invalid token type 'y'\n\n";
    expect(readErrorBody(text, "", []).texts).toEqual(["invalid token locality 'x'", "invalid token type 'y'"]);
    expect(readErrorBody("cannot find policy p", "", []).texts).toEqual(["cannot find policy p"]);
  });
});

describe("a guard", () => {
  it("recognizes errors of another copy of this package, and nothing else", () => {
    const foreign = { [Symbol.for("pulumi-agentpool-acl.ApiError")]: true, kind: "not-found" };
    expect(isNotFound(foreign)).toBe(true);
    expect(isApiError(new ApiError(call(acl, "read"), { kind: "denied", detail: "" }))).toBe(true);
    for (const other of [undefined, null, "not-found", new Error("not found"), { kind: "not-found" }])
      expect(isNotFound(other)).toBe(false);
  });
});
