import { urlOf } from "../common/url";
import { mappedNamesIfKnown, reachOf } from "./reach";
import type { Condition, Path } from "./selector";
import { conditionOf } from "./selector";

/**
 * A vendor whose keys sign the tokens of all its customers. A valid signature, and mostly the issuer too, does not identify the customer.
 */
export interface SharedIssuer {
  readonly vendor: string;
  /** An example for `boundIssuer`. */
  readonly issuer: string;
  /** The addresses of its keys, for discovery or as a key set. */
  readonly addresses: RegExp;
  /** The issuers that identify a single customer. */
  readonly tenantIssuers?: RegExp;
  /** The claims that identify the customer, the best one first. */
  readonly tenantClaims: ReadonlyMap<string, TenantClaim>;
}

/**
 * The way in which a claim's text identifies the customer: as an ID of the vendor, as a name that customers choose, or by its beginning up
 * to a delimiter. Regular expressions are tried on the text with a colon appended, so its last part has a delimiter as well.
 */
type TenantClaim = "id" | "name" | RegExp;

const owner = /^[^/:]+[/:]/;

function vendor(
  name: string,
  issuer: string,
  addresses: RegExp,
  claims: Readonly<Record<string, TenantClaim>>,
  tenantIssuers?: RegExp,
): SharedIssuer {
  return { vendor: name, issuer, addresses, tenantClaims: new Map(Object.entries(claims)), ...(tenantIssuers && { tenantIssuers }) };
}

const ofTerraform = {
  terraform_workspace_id: "id",
  terraform_project_id: "id",
  terraform_organization_id: "id",
  terraform_organization_name: "name",
  sub: /^organization:[^:]+:/,
} as const;

/** The single tenant of all personal Microsoft accounts. */
const personalAccounts = "9188040d-6c67-4c5b-b112-36a304b66dad";
const entraTenant = new RegExp(
  "^https://(login\\.microsoftonline\\.(com|us)|login\\.partner\\.microsoftonline\\.cn|sts\\.(windows\\.net|chinacloudapi\\.cn))/" +
    `(?!common\\b|organizations\\b|consumers\\b|${personalAccounts})[^/]+(/(v2\\.0)?)?$`,
);

function entra(host: string, addresses: RegExp): SharedIssuer {
  const claims = { tid: "id", oid: "id", sub: "id" } as const;
  return vendor("Microsoft Entra", `https://${host}/TENANT_ID/v2.0`, addresses, claims, entraTenant);
}

/**
 * The vendors, according to their documents. An account that anyone can join, or a name that several customers can have, identifies no
 * customer.
 */
export const sharedIssuers: readonly SharedIssuer[] = [
  vendor(
    "GitHub Actions",
    "https://token.actions.githubusercontent.com",
    /^https?:\/\/token\.actions\.githubusercontent\.com(\/|$)/,
    {
      repository_id: "id",
      repository_owner_id: "id",
      enterprise_id: "id",
      repository: owner,
      repository_owner: "name",
      enterprise: "name",
      // Repositories can customize the parts of their subject, so its beginning must identify the owner.
      sub: /^(repo:[^/:]+\/|(repository(_id|_owner|_owner_id)?|enterprise(_id)?):[^/:]+[/:])/,
      // `job_workflow_ref` is missing here: it names the owner of a reusable workflow, which other customers can call.
      workflow_ref: owner,
    },
    /^https:\/\/token\.actions\.githubusercontent\.com\/[^/]+$/,
  ),
  vendor("gitlab.com", "https://gitlab.com", /^https?:\/\/gitlab\.com(\/|$)/, {
    project_id: "id",
    namespace_id: "id",
    project_path: owner,
    namespace_path: owner,
    // `job_project_id`, ... and `ci_config_ref_uri` are missing here: for a merge request of a fork, they name the project of the job.
    sub: /^project_path:[^/:]+[/:]/,
  }),
  vendor(
    "CircleCI",
    "https://oidc.circleci.com/org/ORGANIZATION_ID",
    /^https?:\/\/oidc\.circleci\.com(\/|$)/,
    { "oidc.circleci.com/project-id": "id", "oidc.circleci.com/org-id": "id", sub: /^org\/[^/:]+[/:]/ },
    /^https:\/\/oidc\.circleci\.com\/org\/[^/]+$/,
  ),
  vendor(
    "Bitbucket Pipelines",
    "https://api.bitbucket.org/2.0/workspaces/WORKSPACE/pipelines-config/identity/oidc",
    /^https?:\/\/api\.bitbucket\.org\/2\.0\/workspaces\/[^/]+\/pipelines-config\/identity\/oidc(\/|$)/,
    { repositoryUuid: "id", workspaceUuid: "id", deploymentEnvironmentUuid: "id", sub: /^\{[^}]+\}:/ },
    /^https:\/\/api\.bitbucket\.org\/2\.0\/workspaces\/[^/]+\/pipelines-config\/identity\/oidc$/,
  ),
  vendor("Buildkite", "https://agent.buildkite.com", /^https?:\/\/agent\.buildkite\.com(\/|$)/, {
    pipeline_id: "id",
    organization_id: "id",
    cluster_id: "id",
    organization_slug: "name",
    sub: /^organization:[^:]+:/,
  }),
  vendor("HCP Terraform", "https://app.terraform.io", /^https?:\/\/app\.terraform\.io(\/|$)/, ofTerraform),
  vendor("HCP Terraform", "https://app.eu.terraform.io", /^https?:\/\/app\.eu\.terraform\.io(\/|$)/, ofTerraform),
  vendor("Pulumi Cloud", "https://api.pulumi.com/oidc", /^https?:\/\/api\.pulumi\.com\/oidc(\/|$)/, {
    sub: /^pulumi:(deploy|environments):org:[^:]+:/,
  }),
  vendor(
    "Azure DevOps",
    "https://vstoken.dev.azure.com/ORGANIZATION_ID",
    /^https?:\/\/vstoken\.dev\.azure\.com(\/|$)/,
    { prj_id: "id", org_id: "id", sub: /^(sc|p):\/\/[^/:]+[/:]/ },
    /^https:\/\/vstoken\.dev\.azure\.com\/[^/]+$/,
  ),
  vendor(
    "Google",
    "https://accounts.google.com",
    /^https?:\/\/(accounts\.google\.com(\/|$)|www\.googleapis\.com\/oauth2\/v\d+\/certs\/?$)/,
    {
      sub: "id",
      hd: "name",
      email: "name",
      "/google/compute_engine/project_id": "name",
      "/google/compute_engine/project_number": "id",
    },
  ),
  vendor(
    "Firebase",
    "https://securetoken.google.com/PROJECT_ID",
    /^https?:\/\/(securetoken\.google\.com(\/|$)|www\.googleapis\.com\/.*\/securetoken(@|%40)system\.)/,
    { iss: "name", aud: "name" },
    /^https:\/\/securetoken\.google\.com\/[^/]+$/,
  ),
  entra(
    "login.microsoftonline.com",
    /^https?:\/\/(login\.microsoft(online)?\.com|login-us\.microsoftonline\.com|(login|sts)\.windows\.net)(\/|$)/,
  ),
  entra("login.microsoftonline.us", /^https?:\/\/login\.(microsoftonline\.us|usgovcloudapi\.net)(\/|$)/),
  entra("login.partner.microsoftonline.cn", /^https?:\/\/(login\.partner\.microsoftonline|login\.chinacloudapi)\.cn(\/|$)/),
];

/**
 * The properties of an auth method that decide which tokens it accepts and which claims rules see. A value that is unknown before an update
 * has another type.
 */
export interface TokenChecks {
  readonly type?: unknown;
  readonly jwtValidationPubKeys?: unknown;
  readonly jwksUrl?: unknown;
  readonly oidcDiscoveryUrl?: unknown;
  readonly boundIssuer?: unknown;
  readonly boundAudiences?: unknown;
  readonly claimMappings?: unknown;
  readonly listClaimMappings?: unknown;
}

/**
 * The vendor whose keys sign for all of its customers, if a JWT method accepts these, and the method's audiences don't identify the
 * customer. Servers use the first source of keys that is given. Copies of a vendor's keys are known by the issuer.
 */
export function sharedIssuerOf(checks: TokenChecks): { readonly shared: SharedIssuer; readonly property: string } | undefined {
  if (checks.type !== "JWT") return undefined;
  const keys = (["jwtValidationPubKeys", "jwksUrl", "oidcDiscoveryUrl"] as const).find((name) => isGiven(checks[name]));
  // An address that is unknown before an update may be of any vendor.
  if (keys === undefined || (keys !== "jwtValidationPubKeys" && typeof checks[keys] !== "string")) return undefined;
  const issuers: unknown[] = Array.isArray(checks.boundIssuer) ? checks.boundIssuer : [];
  const isForAll = (shared: SharedIssuer) => !(shared.tenantClaims.has("aud") && isGiven(checks.boundAudiences));
  const ofKeys = sharedAt(checks[keys]);
  if (ofKeys) return isForAll(ofKeys) ? { shared: ofKeys, property: keys } : undefined;
  const others = issuers.flatMap((issuer) => (bindsTenant(sharedAt(issuer), [issuer]) === false ? (sharedAt(issuer) ?? []) : []));
  const shared = others.find(isForAll);
  return shared && { shared, property: "boundIssuer" };
}

/** The vendor whose issuer or keys are at an address. Google's issuer has two forms, one of them without https. */
function sharedAt(address: unknown): SharedIssuer | undefined {
  const url = typeof address === "string" ? (urlOf(address) ?? urlOf(`https://${address}`)) : undefined;
  if (!url) return undefined;
  // An escape of a letter, digit, "-", ".", "_" or "~" means the same as the character itself.
  const decoded = url.pathname.replace(/%(2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent);
  const normal = `${url.protocol}//${url.hostname.replace(/\.$/, "")}${decoded.replace(/\/+/g, "/")}`;
  return sharedIssuers.find(({ addresses }) => addresses.test(normal));
}

/** Whether the issuers of a method restrict it to one customer; undefined if the issuers are unknown. */
function bindsTenant(shared: SharedIssuer | undefined, boundIssuer: unknown): boolean | undefined {
  const tenantIssuers = shared?.tenantIssuers;
  if (boundIssuer === undefined || boundIssuer === null) return false;
  if (!Array.isArray(boundIssuer)) return undefined;
  const issuers: unknown[] = boundIssuer;
  if (!issuers.every((one) => typeof one === "string")) return undefined;
  return issuers.length > 0 && tenantIssuers !== undefined && issuers.every((one) => tenantIssuers.test(one));
}

/** The problems of a method that accepts the tokens of every issuer with the same keys, as sentences that begin with a property. */
export function issuerNotBound(checks: TokenChecks): string[] {
  const source = sharedIssuerOf(checks);
  const { boundIssuer } = checks;
  const isMissing = boundIssuer === undefined || boundIssuer === null || (Array.isArray(boundIssuer) && boundIssuer.length === 0);
  if (!source || !isMissing) return [];
  const { vendor, issuer, tenantIssuers } = source.shared;
  const isOfOne = tenantIssuers?.test(issuer) === true;
  const then = isOfOne
    ? ""
    : ` All customers have that issuer, so every rule must ask for one of them, too, such as by ${remedyClaim(source.shared)}.`;
  return [
    `config.${source.property} has keys of ${vendor}, which sign the tokens of all its customers, and config.boundIssuer is not given: who issued a token is not checked. ` +
      `Give config.boundIssuer, such as ${JSON.stringify([issuer])}.${then}`,
  ];
}

/** The parts of a rule that say what it gives, and to whom. */
interface RuleParts {
  readonly selector: string;
  readonly bindName?: string | undefined;
}

/**
 * The problems of a rule that every customer of the vendor can match, as sentences that begin with a property. Empty if that can't be
 * decided before an update.
 */
export function tenantNotAsked({ selector, bindName = "" }: RuleParts, checks: TokenChecks): string[] {
  const source = sharedIssuerOf(checks);
  const mapped = mappedNamesIfKnown(checks.claimMappings, checks.listClaimMappings);
  if (!source || !mapped || bindsTenant(source.shared, checks.boundIssuer) !== false || reachOf(selector, mapped) === "never") return [];
  const tenants = tenantNames(source.shared, checks.claimMappings);
  const condition = conditionOf(selector);
  if (condition && asks(condition, true, tenants)) return [];
  // A bind name whose only interpolation is a customer's ID belongs to that customer. A name may be one that somebody else registers.
  const [, name = ""] = /^[^$]*\$\{value\.([^{}]+)\}[^$]*$/.exec(bindName) ?? [];
  if (tenants.get(name) === "id") return [];
  const { vendor } = source.shared;
  const claim = remedyClaim(source.shared);
  const best = [...tenants].find(([, form]) => typeof form === "string")?.[0];
  const how =
    best === undefined ? `Map ${claim} in config.claimMappings of the method, and compare it with yours` : "Compare it with yours";
  return [
    `selector does not identify the customer: ${vendor} signs the tokens of all its customers, and each of them can make a token that matches. ` +
      `${how}: \`value.${best ?? nameFor(claim)} == "..."\`, joined by \`and\`.`,
  ];
}

/** The names after `value.` that are mapped only from claims that identify the customer. */
function tenantNames({ tenantClaims }: SharedIssuer, claimMappings: unknown): ReadonlyMap<string, TenantClaim> {
  const mappings: [string, unknown][] = typeof claimMappings === "object" && claimMappings ? Object.entries(claimMappings) : [];
  const sole = mappings.filter(([claim, name]) => !mappings.some((other) => other[0] !== claim && other[1] === name));
  return new Map(
    sole.flatMap(([claim, name]): [string, TenantClaim][] => {
      const form = tenantClaims.get(claim) ?? tenantClaims.get(claimOfPointer(claim));
      return form && typeof name === "string" ? [[name, form]] : [];
    }),
  );
}

/** The member of the token that a JSON pointer names. */
function claimOfPointer(claim: string): string {
  return /^\/[^/]*$/.test(claim) ? claim.slice(1).replaceAll("~1", "/").replaceAll("~0", "~") : claim;
}

/**
 * Whether a condition holds only for tokens of certain customers. An `in` never proves that, because it looks for a part of a text.
 *
 * @param truth the required value of the condition
 */
function asks(condition: Condition, truth: boolean, tenants: ReadonlyMap<string, TenantClaim>): boolean {
  switch (condition.kind) {
    case "not":
      return asks(condition.of, !truth, tenants);
    case "and":
    case "or": {
      const { parts } = condition;
      const isEnough = (condition.kind === "and") === truth;
      return isEnough ? parts.some((part) => asks(part, truth, tenants)) : parts.every((part) => asks(part, truth, tenants));
    }
    case "match": {
      const form = formOf(condition.path, tenants);
      if (form === undefined) return false;
      if (condition.operator === (truth ? "==" : "!=")) return namesTenant(form, condition.value);
      return condition.operator === (truth ? "matches" : "not matches") && patternNamesTenant(form, condition.value);
    }
    default:
      return false;
  }
}

function formOf({ steps }: Path, tenants: ReadonlyMap<string, TenantClaim>): TenantClaim | undefined {
  const [kind, name = ""] = steps;
  return kind === "value" && steps.length === 2 ? tenants.get(name) : undefined;
}

function namesTenant(form: TenantClaim, text: string): boolean {
  return typeof form === "string" ? text !== "" && text !== personalAccounts : form.test(`${text}:`);
}

/** Whether every match of a regular expression begins with the identity of one customer. */
function patternNamesTenant(form: TenantClaim, pattern: string): boolean {
  const [, literal = "", rest = ""] = /^\^((?:[\w:/@-]|\\[.\-/@:{}])*)(?![*+?{])(.*)$/s.exec(pattern) ?? [];
  if (literal === "" || pattern.includes("|")) return false;
  const text = literal.replaceAll("\\", "");
  return rest === "$" ? namesTenant(form, text) : typeof form !== "string" && form.test(text);
}

function remedyClaim({ tenantClaims }: SharedIssuer): string {
  return [...tenantClaims.keys()][0] ?? "sub";
}

/** A selector's name for a claim, without quotes. */
function nameFor(claim: string): string {
  return (claim.split("/").at(-1) ?? claim).replace(/\W/g, "_");
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}
