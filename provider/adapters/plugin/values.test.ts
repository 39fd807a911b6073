import { aclAuthMethod } from "../../resources/acl-auth-method";
import { decode, encode } from "./values";

const marker = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [marker]: "1b47061264138c4ac30d75fd1eb44270", value });

test("an object of which one property is a secret stays an object, with that one marked", () => {
  const properties = { config: { oidcClientId: "cluster", oidcClientSecret: "sesame" } };
  expect(encode(properties, aclAuthMethod.inputs, new Set())).toEqual({
    config: { oidcClientId: "cluster", oidcClientSecret: secret("sesame") },
  });
});

test("an object that came as one secret goes back as one, without a secret within it", () => {
  const given = encode({ config: { oidcClientId: "cluster", oidcClientSecret: "sesame" } }, new Map(), new Set(["/config"]));
  const { properties, secrets } = decode(given);
  expect(encode(properties, aclAuthMethod.inputs, secrets)).toEqual({
    config: secret({ oidcClientId: "cluster", oidcClientSecret: "sesame" }),
  });
});
