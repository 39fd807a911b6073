/** Identity tokens of a pipeline, and an auth method that accepts them. */
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { Simulator } from "../../testing/simulator";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** The Config of a method that takes the tokens, in the words of the API. */
export const identityConfig = {
  JWTValidationPubKeys: [publicKey.export({ type: "spki", format: "pem" }).toString()],
  SigningAlgs: ["ES256"],
};

export function identityToken(claims: object): string {
  const parts = [{ alg: "ES256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = sign("sha256", Buffer.from(parts.join(".")), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return [...parts, signature.toString("base64url")].join(".");
}

/** A token of a job, another one at each call. `letIn` lets the job "deploy" in, the default. */
export function tokenOfJob(job = "deploy"): string {
  const now = Math.floor(Date.now() / 1000);
  return identityToken({ job, iat: now, nbf: now - 5, exp: now + 600, jti: randomUUID() });
}

/** Lets the pipeline's job in, by the method "pipeline", as management or with a policy. */
export function letIn({ cluster }: Simulator, { bindType = "management", ttl = "15m0s" } = {}): void {
  const Config = { ...identityConfig, ClaimMappings: { job: "job" } };
  cluster.methods.put({ Name: "pipeline", Type: "JWT", TokenLocality: "global", MaxTokenTTL: ttl, Config });
  cluster.policies.put("read");
  const BindName = bindType === "management" ? "" : "read";
  cluster.rules.put({ AuthMethod: "pipeline", BindType: bindType, BindName, Selector: 'value.job == "deploy"', Description: "pipeline" });
}
