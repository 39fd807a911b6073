import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Simulator } from "..";

const pem = { type: "pkcs8", format: "pem" } as const;
const rsa = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: pem,
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const elliptic = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: pem,
  publicKeyEncoding: { type: "spki", format: "pem" },
});

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await Simulator.start();
  folder = mkdtempSync(join(tmpdir(), "assertion-"));
});
afterAll(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

async function writeWith(privateKey: object, more: object = {}) {
  const OIDCClientAssertion = { KeySource: "private_key", PrivateKey: privateKey, ...more };
  const Config = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "client", OIDCClientAssertion };
  const response = await fetch(`${simulator.clusterAddress}/v1/acl/auth-method`, {
    method: "POST",
    headers: { "X-Cluster-Token": simulator.clusterToken },
    body: JSON.stringify({ Name: "sso", Type: "OIDC", TokenLocality: "local", MaxTokenTTL: "1h", Config }),
  });
  return { status: response.status, text: await response.text() };
}

describe("an assertion with a private key", () => {
  it("takes an RSA key, in lines or in one, keeps it and does not show it", async () => {
    for (const PemKey of [rsa.privateKey, rsa.privateKey.replaceAll("\n", "")]) {
      const { status, text } = await writeWith({ PemKey, KeyID: "k" });
      expect(status).toBe(200);
      expect(JSON.parse(text).Config.OIDCClientAssertion).toMatchObject({
        KeyAlgorithm: "RS256",
        PrivateKey: { PemKey: "redacted", KeyIDHeader: "kid" },
      });
      expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientAssertion?.PrivateKey?.PemKey).toBe(PemKey);
    }
  });

  it("reads a key from a file of the server", async () => {
    const PemKeyFile = join(folder, "key.pem");
    const missing = await writeWith({ PemKeyFile, KeyID: "k" });
    expect(missing.text).toContain(`error reading PemKeyFile: open ${PemKeyFile}: no such file or directory`);
    writeFileSync(PemKeyFile, rsa.privateKey);
    expect((await writeWith({ PemKeyFile, KeyID: "k" })).status).toBe(200);
  });

  it.each([
    ["a key of another kind", { PemKey: elliptic.privateKey, KeyID: "k" }, {}, "key is not a valid RSA private key"],
    ["a relative path", { PemKeyFile: "key.pem", KeyID: "k" }, {}, "must be absolute; got: key.pem"],
    ["a relative path of a certificate", { PemKey: "a", PemCertFile: "cert.pem" }, {}, "must be absolute; got: cert.pem"],
    ["a header that is not for key ids", { PemKey: "a", KeyID: "k", KeyIDHeader: "x5t" }, {}, 'key header for key ID must be "kid"'],
    ["a header that is not for certificates", { PemKey: "a", PemCert: "c", KeyIDHeader: "kid" }, {}, "certificate-derived key header"],
    ["an invalid certificate", { PemKey: rsa.privateKey, PemCert: "c" }, {}, "failed to decode PemCert PEM block"],
    [
      "a malformed certificate",
      { PemKey: rsa.privateKey, PemCert: "-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----" },
      {},
      "failed to parse PemCert bytes",
    ],
    ["an algorithm of another kind", { PemKey: rsa.privateKey, KeyID: "k" }, { KeyAlgorithm: "ES256" }, 'unsupported algorithm "ES256"'],
  ])("refuses %s", async (_, key, more, message) => {
    const { status, text } = await writeWith(key, more);
    expect(status).toBe(400);
    expect(text).toContain(message);
  });
});
