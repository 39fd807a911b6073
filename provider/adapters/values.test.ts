import { unknown } from "../../common/unknown";
import { aclAuthMethod } from "../resources/acl-auth-method";
import { unknownMarker as marker, secretSignature, signatureKey } from "./markers";
import { decode, encode } from "./values";

const secret = (value: unknown) => ({ [signatureKey]: secretSignature, value });

test("the engine's marker for unknown values becomes the core's symbol and back, at any depth", () => {
  const engine = { a: marker, b: [marker, "x"], c: { d: [{ e: marker }] }, f: null, g: 1, h: true };
  const core = { a: unknown, b: [unknown, "x"], c: { d: [{ e: unknown }] }, f: null, g: 1, h: true };
  expect(decode(engine).properties).toEqual(core);
  expect(encode(core)).toEqual(engine);
});

test("a text that holds the marker is a text", () => {
  expect(decode({ a: ` ${marker}` }).properties).toEqual({ a: ` ${marker}` });
});

test("undefined, which the engine's messages can't hold, is left out of objects and is null in lists", () => {
  expect(encode({ a: undefined, b: { c: undefined, d: 1 }, e: [undefined, 1] })).toStrictEqual({ b: { d: 1 }, e: [null, 1] });
});

test.each(["__proto__", "constructor"])("%s is a key like any other", (key) => {
  const record = Object.fromEntries([[key, "v"]]);
  expect(Object.entries(decode({ map: record }).properties.map ?? {})).toEqual([[key, "v"]]);
  expect(Object.entries(encode({ map: record }).map ?? {})).toEqual([[key, "v"]]);
});

test("an object with one secret property stays an object, and only that property is marked", () => {
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
