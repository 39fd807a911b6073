/** This package has copies of the SDK's markers of values, which must equal the SDK's. */
import * as pulumi from "@pulumi/pulumi";
import * as rpc from "@pulumi/pulumi/runtime/rpc";
import * as markers from "../../provider/adapters/markers";
import { providerKey } from "../../provider/adapters/values";
import { secret, UNKNOWN } from "../../testing/rehearsal/engine/values";

test("the markers of unknown values, secrets, resources and outputs are the SDK's", () => {
  expect(markers).toEqual({
    unknownMarker: rpc.unknownValue,
    signatureKey: rpc.specialSigKey,
    secretSignature: rpc.specialSecretSig,
    resourceSignature: rpc.specialResourceSig,
    outputSignature: rpc.specialOutputValueSig,
  });
});

test("the rehearsal's engine has the same markers of unknown values and secrets", () => {
  expect(UNKNOWN).toBe(rpc.unknownValue);
  expect(secret("s")).toEqual({ [rpc.specialSigKey]: rpc.specialSecretSig, value: "s" });
});

test("the key of a dynamic resource's provider is the SDK's reserved key", () => {
  class Thing extends pulumi.dynamic.Resource {}
  const provider = { create: async () => ({ id: "1" }) };
  expect(() => new Thing(provider, "thing", { [providerKey]: "taken" })).toThrow(`must not define the ${providerKey} key`);
});
