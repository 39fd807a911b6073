import { readDuration } from "../../../common/durations";
import { Simulator } from "..";
import { decodeBody } from "./body";
import { formatDuration } from "./durations";
import { methodForm, roleForm } from "./forms";

const decodeMethod = (body: string) => decodeBody(methodForm, body);
const decodeRole = (body: string) => decodeBody(roleForm, body);

describe("bodies of requests", () => {
  describe("a body", () => {
    it.each([
      ['{"Description":true}', "Description: "],
      ['{"Policies":{}}', "Policies: "],
      ['{"Policies":["a"]}', "Policies: 0: "],
    ])("%s is refused", (body, message) => {
      expect(() => decodeRole(body)).toThrow(message);
    });

    it.each([
      ['{"MaxTokenTTL":""}', 'time: invalid duration ""'],
      ['{"MaxTokenTTL":1e999}', "MaxTokenTTL: "],
      ['{"Default":"yes"}', "Default: "],
      ['{"CreateTime":"x"}', "CreateTime: "],
      ['{"Config":{"ExpirationLeeway":{"a":1}}}', "Config: ExpirationLeeway: "],
      ['{"Config":{"BoundAudiences":"a"}}', "Config: BoundAudiences: "],
      ['{"Config":{"ClaimMappings":{"a":1}}}', "Config: ClaimMappings: "],
      ['{"Config":{"ClaimMappings":[]}}', "Config: ClaimMappings: "],
    ])("%s of an auth method is refused", (body, message) => {
      expect(() => decodeMethod(body)).toThrow(message);
    });

    it.each([
      ["lists", `{"X":${"[".repeat(200_000)}`],
      ["maps", '{"a":'.repeat(200_000)],
    ])("of endlessly nested %s is refused, without a stack overflow", (_, body) => {
      for (const decode of [decodeRole, decodeMethod]) expect(() => decode(body)).toThrow("the body is not JSON");
    });

    it("is read with keys in any letter case, without null and unknown keys", () => {
      expect(decodeRole('{"name":"a","ID":null,"Unknown":1,"Policies":[null,{"NAME":"p"}]}')).toEqual({
        Description: "",
        ID: "",
        Name: "a",
        Policies: [{ Name: "" }, { Name: "p" }],
      });
    });

    it("keeps an empty list apart from null, and reads a missing map as null", () => {
      const body =
        '{"Config":{"OIDCScopes":[null],"BoundAudiences":[],"BoundIssuer":null,"ListClaimMappings":{"b":null,"a":"x"},"NotBeforeLeeway":""}}';
      expect(decodeMethod(body).Config).toMatchObject({
        OIDCScopes: [""],
        BoundAudiences: [],
        BoundIssuer: null,
        ClaimMappings: null,
        ListClaimMappings: { a: "x", b: "" },
        NotBeforeLeeway: "",
      });
    });

    it("writes times without trailing zeros, and durations from nanoseconds", () => {
      const method = decodeMethod('{"CreateTime":"2020-01-01T00:00:00.500Z","MaxTokenTTL":90000000000,"Config":{"ClockSkewLeeway":1.5e9}}');
      expect(method).toMatchObject({ CreateTime: "2020-01-01T00:00:00.5Z", MaxTokenTTL: "1m30s", Config: { ClockSkewLeeway: "1.5s" } });
    });

    it("takes a number beyond 64 bits for the least duration, as Go does", () => {
      expect(decodeMethod('{"MaxTokenTTL":1e30}').MaxTokenTTL).toBe("-2562047h47m16.854775808s");
    });
  });
});

describe("client assertions", () => {
  let simulator: Simulator;

  beforeAll(async () => {
    simulator = await Simulator.start();
  });
  afterAll(async () => {
    await simulator.stop();
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
    it("is kept, and not shown", async () => {
      const { status, text } = await writeWith({ PemKey: "secret key", KeyID: "k" });
      expect(status).toBe(200);
      expect(JSON.parse(text).Config.OIDCClientAssertion).toMatchObject({
        KeyAlgorithm: "RS256",
        PrivateKey: { PemKey: "redacted", KeyIDHeader: "kid" },
      });
      expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientAssertion?.PrivateKey?.PemKey).toBe("secret key");
    });

    it.each([
      ["a relative path", { PemKeyFile: "key.pem", KeyID: "k" }, {}, "must be absolute; got: key.pem"],
      ["a relative path of a certificate", { PemKey: "a", PemCertFile: "cert.pem" }, {}, "must be absolute; got: cert.pem"],
      ["a header that is not for key ids", { PemKey: "a", KeyID: "k", KeyIDHeader: "x5t" }, {}, 'key header for key ID must be "kid"'],
      ["a header that is not for certificates", { PemKey: "a", PemCert: "c", KeyIDHeader: "kid" }, {}, "certificate-derived key header"],
      ["an algorithm of another kind", { PemKey: "a", KeyID: "k" }, { KeyAlgorithm: "ES256" }, 'unsupported algorithm "ES256"'],
    ])("refuses %s", async (_, key, more, message) => {
      const { status, text } = await writeWith(key, more);
      expect(status).toBe(400);
      expect(text).toContain(message);
    });
  });
});

describe("durations", () => {
  describe("durations as Go reads and writes them", () => {
    it.each([
      ["60s", "1m0s"],
      ["5m", "5m0s"],
      ["1h0m0s", "1h0m0s"],
      ["1h30m5.5s", "1h30m5.5s"],
      ["-1s", "-1s"],
      ["+.5s", "500ms"],
      ["1500us", "1.5ms"],
      ["1.5µs", "1.5µs"],
      ["999ns", "999ns"],
      ["0", "0s"],
      ["24h", "24h0m0s"],
      ["1h1h", "2h0m0s"],
    ])("%s is %s", (text, written) => {
      expect(formatDuration(readDuration(text))).toBe(written);
    });
  });
});
