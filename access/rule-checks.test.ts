// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import fc from "fast-check";
import { unknown } from "../common/unknown";
import { sizeOf } from "../test/support/extent";
import { cases } from "../test/support/seed";
import { toIdentity } from "./claims";
import { matches } from "./match";
import { conditionOf } from "./selector";
import { issuerNotBound, sharedIssuerOf, sharedIssuers, type TokenChecks, tenantNotAsked } from "./shared-issuers";
import { unmappedClaims, unmappedInTokenName, unmappedMessage } from "./unmapped";

describe("claims that no method maps", () => {
  const mapped = { value: new Set(["team", "mail"]), list: new Set(["groups"]) };
  const of = (selector: string, bindName = "dev") => unmappedClaims({ selector, bindName }, mapped);

  test.each([
    ["value.tean == ops", "value.tean", "the selector matches no login, and the rule gives nothing", "value.team"],
    ["value.tean != ops", "value.tean", "the selector matches every login of the method", "value.team"],
    ["ops in list.group", "list.group", "the selector matches no login, and the rule gives nothing", "list.groups"],
    ["ops not in list.group", "list.group", "the selector matches every login of the method", "list.groups"],
    ["value.team == ops and value.nobody != x", "value.nobody", "value.nobody != ... holds for every login", undefined],
    ["value.team == ops or ops in value.groups", "value.groups", "... in value.groups holds for no login", "list.groups"],
    ["team == ops", "team", "the selector matches no login, and the rule gives nothing", "value.team"],
    [
      "value.team == ops or value.tean.x == y",
      "value.tean.x",
      "value.tean.x == ... can't be evaluated, and if a login gets to it",
      "value.team",
    ],
    ["any list.groups as g { g == value.tean }", undefined, "", undefined],
    ["any list.groups as g { g == ops and value.tean != ops }", "value.tean", "value.tean != ... holds for every login", "value.team"],
    ["any list.group as g { g == ops }", "list.group", "the selector matches no login", "list.groups"],
    ["value.team == ops or any list.group as g { g == ops }", "list.group", "any list.group { ... } holds for no login", "list.groups"],
    ["value.team == ops or value.tean is empty", "value.tean", "value.tean is empty holds for every login", "value.team"],
    ["list.groups.0 == ops and value is not empty", undefined, "", undefined],
    ["this is no selector (", undefined, "", undefined],
    ["", undefined, "", undefined],
  ])("of the selector %j, %s is not mapped: %s", (selector, claim, consequence, nearest) => {
    const found = of(selector);
    expect(found.map((one) => one.claim)).toEqual(claim === undefined ? [] : [claim]);
    if (claim !== undefined)
      expect(found).toMatchObject([{ property: "selector", consequence: expect.stringContaining(consequence), nearest }]);
  });

  test.each([
    ["", "team-${value.tean}", "value.tean", "every login of the method fails", "value.team"],
    ["value.team == ops", "team-${value.tean}", "value.tean", "every login that the selector matches fails", "value.team"],
    ["", "${list.groups}", "list.groups", "every login of the method fails", undefined],
    ["", "${team}", "team", "every login of the method fails", "value.team"],
  ])("with the selector %j, the bind name %s refers to %s: %s", (selector, bindName, claim, consequence, nearest) => {
    expect(of(selector, bindName)).toMatchObject([
      { property: "bindName", claim, consequence: expect.stringContaining(consequence), nearest },
    ]);
  });

  test("a bind name that no login reaches is not reported, nor one with mapped claims", () => {
    expect(of("value.tean == ops", "${value.nobody}").map(({ property }) => property)).toEqual(["selector"]);
    expect(of("value.team == ops", "a-${value.team}-$${value.nobody}")).toEqual([]);
  });

  test("a token's name may interpolate the method's name and type, and claims that are mapped to values", () => {
    expect(unmappedInTokenName("${auth_method_type}-${auth_method_name}-${value.team}", mapped)).toEqual([]);
    expect(unmappedInTokenName("${value.tean}-${list.groups}-${value.tean}", mapped)).toEqual([
      "tokenNameFormat interpolates value.tean, which the method does not map to a value: every login of the method fails as a whole. Did you mean value.team?",
      expect.stringMatching(/^tokenNameFormat interpolates list\.groups, .* fails as a whole\. Only values can be interpolated\./),
    ]);
  });

  test("each message says how to correct the rule", () => {
    const sentences = (selector: string, bindName = "dev") => of(selector, bindName).map(unmappedMessage);
    expect(sentences("value.nobody == ops")).toEqual([
      "selector looks at value.nobody, which the method does not map: the selector matches no login, and the rule gives nothing. Map the claim in config.claimMappings, or correct the name.",
    ]);
    expect(sentences("ops in list.nobody")).toEqual([
      expect.stringMatching(/Map the claim in config\.listClaimMappings, or correct the name\.$/),
    ]);
    expect(sentences("nobody == ops")).toEqual([expect.stringMatching(/Claims are called value\.NAME and list\.NAME, /)]);
    expect(sentences("", "${list.groups}")).toEqual([
      expect.stringMatching(/^bindName interpolates list\.groups, .* Only values can be interpolated\./),
    ]);
  });
});

describe("issuers that many customers share", () => {
  const claimMappings = { ref: "branch", repository_id: "id", repository: "repo", sub: "sub", job_workflow_ref: "workflow" };
  const github: TokenChecks = {
    type: "JWT",
    jwksUrl: "https://token.actions.githubusercontent.com/.well-known/jwks",
    boundIssuer: ["https://token.actions.githubusercontent.com"],
    claimMappings,
  };

  /** Each vendor's issuer and key set, as its documents have them. */
  test.each([
    ["GitHub Actions", "https://token.actions.githubusercontent.com", "https://token.actions.githubusercontent.com/.well-known/jwks"],
    ["gitlab.com", "https://gitlab.com", "https://gitlab.com/oauth/discovery/keys"],
    ["CircleCI", "https://oidc.circleci.com/org/6e4dfb0c", "https://oidc.circleci.com/org/6e4dfb0c/.well-known/jwks-pub.json"],
    [
      "Bitbucket Pipelines",
      "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc",
      "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc/keys.json",
    ],
    ["Buildkite", "https://agent.buildkite.com", "https://agent.buildkite.com/.well-known/jwks"],
    ["HCP Terraform", "https://app.terraform.io", "https://app.terraform.io/.well-known/jwks"],
    ["HCP Terraform", "https://app.eu.terraform.io", "https://app.eu.terraform.io/.well-known/jwks"],
    ["Pulumi Cloud", "https://api.pulumi.com/oidc", "https://api.pulumi.com/oidc/.well-known/jwks"],
    ["Azure DevOps", "https://vstoken.dev.azure.com/0ca3ddd9", "https://vstoken.dev.azure.com/.well-known/jwks"],
    ["Google", "https://accounts.google.com", "https://www.googleapis.com/oauth2/v3/certs"],
    [
      "Firebase",
      "https://securetoken.google.com/acme",
      "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
    ],
    [
      "Firebase",
      "https://securetoken.google.com/acme",
      "https://www.googleapis.com/robot/v1/metadata/jwk/securetoken@system.gserviceaccount.com",
    ],
    ["Microsoft Entra", "https://login.microsoftonline.us/common/v2.0", "https://login.microsoft.com/common/discovery/keys"],
    ["Microsoft Entra", "https://login.usgovcloudapi.net/common/v2.0", "https://login-us.microsoftonline.com/common/discovery/keys"],
    ["Microsoft Entra", "https://login.microsoftonline.com/common/v2.0", "https://login.microsoftonline.com/common/discovery/v2.0/keys"],
  ])("keys of %s are known by discovery (%s) and as a key set (%s)", (vendor, issuer, keys) => {
    expect(sharedIssuerOf({ type: "JWT", oidcDiscoveryUrl: issuer })?.shared.vendor).toBe(vendor);
    expect(sharedIssuerOf({ type: "JWT", oidcDiscoveryUrl: `${issuer.replace("https", "HTTPS")}/` })?.shared.vendor).toBe(vendor);
    expect(sharedIssuerOf({ type: "JWT", jwksUrl: keys })).toMatchObject({ shared: { vendor }, property: "jwksUrl" });
    expect(sharedIssuerOf({ type: "OIDC", oidcDiscoveryUrl: issuer })).toBeUndefined();
  });

  test.each([
    "https://gitlab.example.com/oauth/discovery/keys",
    "https://gitlab.com.evil.test",
    "https://token.actions.acme.ghe.com",
    "https://www.googleapis.com/service_accounts/v1/jwk/ci@acme.iam.gserviceaccount.com",
    "https://www.googleapis.com/oauth2/v3/%2563erts",
    "https://www.googleapis.com/oauth2%2fv3/certs",
    "https://www.googleapis.com/oauth2/v3/%E0%A4certs",
    "no address",
  ])("%s has no keys that customers share", (address) => {
    expect(sharedIssuerOf({ type: "JWT", oidcDiscoveryUrl: address })).toBeUndefined();
    expect(sharedIssuerOf({ type: "JWT", jwksUrl: address })).toBeUndefined();
  });

  test.each([
    ["Google", "https://www.googleapis.com/oauth2/v3/%63erts"],
    ["Google", "https://www.googleapis.com//oauth2/v3//certs"],
    ["Google", "https://www.googleapis.com/%6F%61uth2/v%33/certs/"],
    ["Bitbucket Pipelines", "https://api.bitbucket.org/2%2E0/workspaces/%7Bacme%7D/pipelines%2dconfig/identity/oidc/keys.json"],
    ["Firebase", "https://www.googleapis.com/robot/v1/metadata/jwk/securetoken%40system.gserviceaccount.com"],
    ["Pulumi Cloud", "https://api.pulumi.com/oidc/%zz%"],
  ])("keys of %s are known in another spelling of their address: %s", (vendor, jwksUrl) => {
    expect(sharedIssuerOf({ type: "JWT", jwksUrl })?.shared.vendor).toBe(vendor);
  });

  test("audiences are enough for a vendor that sets them to the customer's ID", () => {
    const of = (oidcDiscoveryUrl: string, boundAudiences: unknown) => sharedIssuerOf({ type: "JWT", oidcDiscoveryUrl, boundAudiences });
    expect(of("https://securetoken.google.com/acme", ["acme"])).toBeUndefined();
    expect(of("https://securetoken.google.com/acme", [])?.shared.vendor).toBe("Firebase");
    expect(of("https://gitlab.com", ["acme"])?.shared.vendor).toBe("gitlab.com");
  });

  test("the advice names the issuer of the vendor's region", () => {
    expect(issuerNotBound({ type: "JWT", oidcDiscoveryUrl: "https://app.eu.terraform.io" }).join()).toContain(
      'such as ["https://app.eu.terraform.io"]',
    );
  });

  test("keys in the program have precedence over the key set, and the key set over discovery", () => {
    const addresses = { type: "JWT", jwksUrl: "https://keys.example.com", oidcDiscoveryUrl: "https://gitlab.com" };
    expect(sharedIssuerOf(addresses)).toBeUndefined();
    expect(sharedIssuerOf({ ...addresses, jwksUrl: "" })?.property).toBe("oidcDiscoveryUrl");
    expect(sharedIssuerOf({ ...addresses, jwksUrl: "", jwtValidationPubKeys: ["-----BEGIN PUBLIC KEY-----"] })).toBeUndefined();
  });

  test("copies of a vendor's keys are known by the issuer, unless it is one of a single customer, or the address is unknown", () => {
    const selector = 'value.ref == "refs/heads/main"';
    const asked = (more: object) =>
      tenantNotAsked(
        { selector },
        { type: "JWT", claimMappings: { ref: "ref" }, boundIssuer: ["https://token.actions.githubusercontent.com"], ...more },
      );
    const pinned = { jwtValidationPubKeys: ["-----BEGIN PUBLIC KEY-----"] };
    expect(asked(pinned)).toEqual([expect.stringContaining("GitHub Actions signs the tokens of all its customers")]);
    expect(asked({ jwksUrl: "https://artifactory.example.com/github/jwks.json" })).toHaveLength(1);
    expect(asked({ ...pinned, boundIssuer: ["https://token.actions.githubusercontent.com/acme"] })).toEqual([]);
    expect(asked({ ...pinned, boundIssuer: ["https://github.example.com/_services/token"] })).toEqual([]);
    expect(asked({ jwksUrl: unknown })).toEqual([]);
    const [ofTenant, ofAll] = ["https://securetoken.google.com/acme", "https://token.actions.githubusercontent.com"];
    for (const boundIssuer of [[ofTenant, ofAll], [ofAll, ofTenant], ["accounts.google.com"]])
      expect(asked({ ...pinned, boundAudiences: ["nomad"], boundIssuer })).toHaveLength(1);
    const entra = "https://login.microsoftonline.com/0ca3ddd9-8b0a-4a9c-8d3b-3c1f4a5b6c7d/v2.0";
    expect(asked({ ...pinned, boundIssuer: ["https://idp.example.com", entra] })).toEqual([]);
  });

  test("a method without boundIssuer is reported with the issuer to give, but not if boundIssuer is given or unknown", () => {
    const message = (checks: TokenChecks) => issuerNotBound(checks).join();
    for (const boundIssuer of [undefined, null, []]) {
      expect(message({ ...github, boundIssuer })).toMatch(
        /^config\.jwksUrl has keys of GitHub Actions, .* Give config\.boundIssuer, such as \["https:\/\/token\.actions\.githubusercontent\.com"\]\. .*repository_id/,
      );
    }
    expect(message(github)).toBe("");
    expect(message({ ...github, boundIssuer: Symbol("not known yet") })).toBe("");
  });

  test.each([
    "",
    'value.branch == "refs/heads/main"',
    'value.branch == "refs/heads/main" or value.id == "1"',
    'not (value.id == "1")',
    'value.id != "1"',
    'value.id == ""',
    "value.id is not empty",
    // A part of a text: 12 is also in 123.
    'value.id contains "12"',
    "value.id matches `12`",
    "value.id matches `^12`",
    "value.id matches `^12*$`",
    "value.id matches `^(12|.*)$`",
    "value.repo matches `^acme`",
    "value.repo matches `acme/app`",
    // A repository chooses the parts of its own sub.
    'value.sub == "environment:production"',
    "value.sub matches `^repo:acme`",
    "value.sub matches `^repo:.*/app:`",
    // The owner of a reusable workflow, which other customers can call.
    "value.workflow matches `^acme/shared/`",
    'value.sub == "job_workflow_ref:acme/shared/.github/workflows/up.yml@main"',
  ])("the selector %j asks for no particular customer of GitHub", (selector) => {
    expect(tenantNotAsked({ selector }, github)).toEqual([
      "selector does not identify the customer: GitHub Actions signs the tokens of all its customers, and each of them can make a token that matches. " +
        'Compare it with yours: `value.id == "..."`, joined by `and`.',
    ]);
  });

  test.each([
    'value.id == "1"',
    'value.branch == "refs/heads/main" and value.id == "1"',
    'value.id == "1" or value.id == "2"',
    'not (value.id != "1" or value.branch == x)',
    "value.id matches `^12$`",
    'value.repo == "acme/app"',
    "value.repo matches `^acme/`",
    'value.sub == "repo:acme/app:environment:production"',
    'value.sub == "repository_id:12"',
    "value.sub matches `^repo:acme/app:.*`",
    // This selector matches nobody.
    "value.nothing == x",
    "not a selector (",
  ])("the selector %j asks for a particular customer of GitHub", (selector) => {
    expect(tenantNotAsked({ selector }, github)).toEqual([]);
  });

  test("a bind name with the customer's identity needs no selector for it, and a bind name that may become anything else does", () => {
    const asked = (bindName: string) => tenantNotAsked({ selector: "", bindName }, github).length === 0;
    expect(["repo-${value.id}", "${value.id}"].map(asked)).toEqual([true, true]);
    expect(['${true ? "admin" : value.id}', "$${value.id}", "${value.branch}", "dev"].map(asked)).toEqual([false, false, false, false]);
    // Another customer can register such a name.
    const byName = { ...github, claimMappings: { repository_owner: "owner" } };
    expect(tenantNotAsked({ selector: "", bindName: "${value.owner}" }, byName)).toHaveLength(1);
    expect(tenantNotAsked({ selector: 'value.owner == "acme"', bindName: "${value.owner}" }, byName)).toEqual([]);
    // Customers choose the IDs of their projects, and Google assigns the numbers.
    const google = (claim: string) => ({
      ...{ type: "JWT", oidcDiscoveryUrl: "https://accounts.google.com", boundIssuer: ["https://accounts.google.com"] },
      claimMappings: { [`/google/compute_engine/${claim}`]: "project" },
    });
    expect(tenantNotAsked({ selector: "", bindName: "ci-${value.project}" }, google("project_id"))).toHaveLength(1);
    expect(tenantNotAsked({ selector: "", bindName: "ci-${value.project}" }, google("project_number"))).toEqual([]);
  });

  test("a claim counts by its mapping, also by a JSON pointer, but not if two claims have the same name", () => {
    const asked = (mappings: Record<string, string>) =>
      tenantNotAsked({ selector: 'value.id == "1"' }, { ...github, claimMappings: mappings }).length === 0;
    expect(asked({ repository_owner_id: "id" })).toBe(true);
    expect(asked({ "/repository_id": "id" })).toBe(true);
    expect(asked({ actor_id: "id" })).toBe(false);
    expect(asked({ repository_id: "id", ref: "id" })).toBe(false);
  });

  test("an issuer of one customer is sufficient, and an issuer of many is not", () => {
    const azure = { type: "JWT", jwksUrl: "https://login.microsoftonline.com/common/discovery/v2.0/keys" };
    const asks = (boundIssuer: unknown) => tenantNotAsked({ selector: "" }, { ...azure, boundIssuer }).length > 0;
    expect(asks(["https://login.microsoftonline.com/6e4dfb0c-0000-4000-8000-000000000001/v2.0"])).toBe(false);
    expect(asks(["https://sts.windows.net/6e4dfb0c-0000-4000-8000-000000000001/"])).toBe(false);
    // All personal accounts.
    expect(asks(["https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"])).toBe(true);
    expect(asks(["https://login.microsoftonline.com/a/v2.0", "https://login.microsoftonline.com/common/v2.0"])).toBe(true);
    expect(asks(Symbol("not known yet"))).toBe(false);
    expect(tenantNotAsked({ selector: "" }, { ...github, boundIssuer: ["https://token.actions.githubusercontent.com/acme"] })).toEqual([]);
  });

  test("the tenant of all personal accounts is no customer, also as a claim", () => {
    const entra = { type: "JWT", oidcDiscoveryUrl: "https://login.microsoftonline.com/common/v2.0", claimMappings: { tid: "tenant" } };
    const asks = (tenant: string) => tenantNotAsked({ selector: `value.tenant == "${tenant}"` }, entra).length > 0;
    expect(asks("9188040d-6c67-4c5b-b112-36a304b66dad")).toBe(true);
    expect(asks("6e4dfb0c-0000-4000-8000-000000000001")).toBe(false);
  });

  test("every vendor's issuer is one of the addresses that are known for it", () => {
    const strange = sharedIssuers.filter(
      ({ vendor, issuer }) => sharedIssuerOf({ type: "JWT", oidcDiscoveryUrl: issuer })?.shared.vendor !== vendor,
    );
    expect(strange).toEqual([]);
  });

  test("no selector that asks for a particular customer matches a token of another one", () => {
    const text = fc.constantFrom("1", "12", "acme/app", "repo:acme/app:ref:main", "refs/heads/main", "evil/acme/app", "");
    const pattern = fc.constantFrom("^1", "^1$", "1", "^acme/", "acme", "^repo:acme/app:", "^a*", "^acme?/", "^.*$", "^(acme/|x)");
    const name = fc.constantFrom("branch", "id", "repo", "sub", "workflow", "nothing");
    const atom = fc.oneof(
      fc.tuple(name, fc.constantFrom("==", "!="), text).map(([n, operator, value]) => `value.${n} ${operator} ${JSON.stringify(value)}`),
      fc
        .tuple(name, fc.constantFrom("matches", "not matches"), pattern)
        .map(([n, operator, value]) => `value.${n} ${operator} \`${value}\``),
      fc.tuple(text, name).map(([value, n]) => `${JSON.stringify(value)} in value.${n}`),
      name.map((n) => `value.${n} is not empty`),
    );
    const { selector } = fc.letrec<{ selector: string }>((tie) => ({
      selector: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie("selector"), fc.constantFrom("and", "or"), tie("selector")).map(([a, by, b]) => `(${a}) ${by} (${b})`),
        tie("selector").map((of) => `not (${of})`),
      ),
    }));
    // Other customers, with similar identities and any branch.
    const foreign = fc.record({
      ref: fc.constantFrom("refs/heads/main", "1", "acme/app", "refs/heads/evil"),
      repository_id: fc.constantFrom("21", "123", "112"),
      repository: fc.constantFrom("evil/acme", "acme-evil/app", "1/1", "aacme/app"),
      sub: fc.constantFrom("repo:evil/repo:acme:ref:main", "repo:acme-evil/app:ref:main", "ref:refs/heads/main", "environment:production"),
      job_workflow_ref: fc.constantFrom("evil/acme/.github/workflows/up.yml@main"),
    });
    fc.assert(
      fc.property(selector, foreign, (one, claims) => {
        fc.pre(tenantNotAsked({ selector: one }, github).length === 0);
        const condition = conditionOf(one);
        if (condition) expect(matches(condition, toIdentity({ claimMappings }, claims))).toBe(false);
      }),
      cases({ numRuns: sizeOf({ quick: 100, full: 2_000 }) }),
    );
  });
});
