/**
 * A stand-in for an identity provider, to try logins without one.
 *
 *     node identity.mjs key                         makes the key in identity-key.pem, unless it is there, and prints its public half
 *     node identity.mjs token people/engineer.json  prints a token with these claims, valid for ten minutes
 *     node identity.mjs serve people/engineer.json  an OIDC provider on this machine, at which everybody is this person
 */
import { createPublicKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const keyFile = "identity-key.pem";
const pem = { type: "pkcs8", format: "pem" };
const issuer = "http://127.0.0.1:9080";

function publicKey() {
  if (!existsSync(keyFile)) {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, privateKeyEncoding: pem });
    writeFileSync(keyFile, privateKey, { mode: 0o600, flag: "wx" });
  }
  return createPublicKey(readFileSync(keyFile, "utf8"));
}

function makeToken(claims) {
  const now = Math.floor(Date.now() / 1000);
  const head = { alg: "RS256", typ: "JWT", kid: "stand-in" };
  const parts = [head, { ...claims, iat: now, nbf: now, exp: now + 600 }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = sign("sha256", Buffer.from(parts.join(".")), readFileSync(keyFile, "utf8"));
  return [...parts, signature.toString("base64url")].join(".");
}

/** The authorization code flow, without a password: for tries on this machine only. */
function serve(person) {
  const key = publicKey();
  const logins = new Map();
  const answers = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/keys": () => ({ keys: [{ ...key.export({ format: "jwk" }), kid: "stand-in", alg: "RS256", use: "sig" }] }),
    "/token": (query) => {
      const { client, nonce } = logins.get(query.get("code")) ?? {};
      logins.delete(query.get("code"));
      return (
        client && { access_token: "stand-in", token_type: "Bearer", id_token: makeToken({ ...person, iss: issuer, aud: client, nonce }) }
      );
    },
    "/userinfo": () => ({ ...person, iss: issuer, aud: undefined }),
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, issuer);
    if (pathname === "/authorize") {
      const [code, target] = [randomUUID(), new URL(searchParams.get("redirect_uri"))];
      logins.set(code, { client: searchParams.get("client_id"), nonce: searchParams.get("nonce") });
      for (const [name, value] of Object.entries({ code, state: searchParams.get("state") })) target.searchParams.set(name, value);
      return response.writeHead(302, { location: target.href }).end();
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const answer = answers[pathname]?.(new URLSearchParams(body));
    response
      .writeHead(answer ? 200 : 400, { "content-type": "application/json" })
      .end(JSON.stringify(answer ?? { error: "invalid_request" }));
  });
  server.listen(new URL(issuer).port, "127.0.0.1", () => console.log(`${issuer}: everybody who logs in is ${person.sub}`));
}

const [command, file] = process.argv.slice(2);
const person = file && JSON.parse(readFileSync(file, "utf8"));
if (command === "key") process.stdout.write(publicKey().export({ type: "spki", format: "pem" }));
else if (command === "token" && person) process.stdout.write(`${makeToken(person)}\n`);
else if (command === "serve" && person) serve(person);
else throw new Error("give `key`, or `token` or `serve` and the file of the claims");
