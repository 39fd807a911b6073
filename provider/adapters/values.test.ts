import { unknown } from "../../common/unknown";
import { aclAuthMethod } from "../resources/acl-auth-method";
import { unknownMarker as marker, secretSignature, signatureKey } from "./markers";
import { decode, encode } from "./values";

const secret = (value: unknown) => ({ [signatureKey]: secretSignature, value });

test("the engine's marker of unknown values is the core's symbol, at any depth", () => {
  const engine = { a: marker, b: [marker, "x"], c: { d: [{ e: marker }] }, f: null, g: 1, h: true };
  const core = { a: unknown, b: [unknown, "x"], c: { d: [{ e: unknown }] }, f: null, g: 1, h: true };
  expect(decode(engine).properties).toEqual(core);
  expect(encode(core)).toEqual(engine);
});

test("a text with the marker in it stays a text", () => {
  expect(decode({ a: ` ${marker}` }).properties).toEqual({ a: ` ${marker}` });
});

test("undefined, which the engine's messages don't have, is left out of objects and is null in lists", () => {
  expect(encode({ a: undefined, b: { c: undefined, d: 1 }, e: [undefined, 1] })).toStrictEqual({ b: { d: 1 }, e: [null, 1] });
});

test.each(["__proto__", "constructor"])("%s is an ordinary key", (key) => {
  const record = Object.fromEntries([[key, "v"]]);
  expect(Object.entries(decode({ map: record }).properties.map ?? {})).toEqual([[key, "v"]]);
  expect(Object.entries(encode({ map: record }).map ?? {})).toEqual([[key, "v"]]);
});

test("an object with a secret property has the mark at that property alone", () => {
  const properties = { config: { oidcClientId: "cluster", oidcClientSecret: "sesame" } };
  expect(encode(properties, aclAuthMethod.inputs, new Set())).toEqual({
    config: { oidcClientId: "cluster", oidcClientSecret: secret("sesame") },
  });
});

test("an object that came as a secret goes back as one, without a mark within it", () => {
  const given = encode({ config: { oidcClientId: "cluster", oidcClientSecret: "sesame" } }, new Map(), new Set(["/config"]));
  const { properties, secrets } = decode(given);
  expect(encode(properties, aclAuthMethod.inputs, secrets)).toEqual({
    config: secret({ oidcClientId: "cluster", oidcClientSecret: "sesame" }),
  });
});
