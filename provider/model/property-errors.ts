import type { ErrorWords } from "./error-words";

const named = "Correct it as the message says.";

/**
 * The errors of inputs and arguments that check refuses, and of names that no request can have. They have no code: an engine reports all of
 * an object at once, each with its property. The texts are for the documents (`npm run generate`).
 */
export const propertyErrors: readonly ErrorWords[] = [
  { says: "PROPERTY must ...", remedy: named },
  { says: "PROPERTY is invalid: ...", remedy: named },
  {
    says: "PROPERTY is not a property here",
    remedy: named,
  },
  { says: "PROPERTY is required", remedy: named },
  { says: "bindName is required when bindType is ...", remedy: named },
  { says: "config needs one of oidcDiscoveryUrl", remedy: named },
  {
    says: 'selector is required when bindType is "management"',
    remedy: named,
  },
  {
    says: 'bindName is not allowed when bindType is "management"',
    remedy: named,
  },
  { says: "config.oidcDiscoveryUrl must be given without the .well-known part", remedy: named },
  { says: "PROPERTY can't be read: ...", remedy: "Mend [the policy's rules](rights.md#whether-rules-are-valid) at that line and column." },
  { says: "PROPERTY is the word ..., which the API returns in place of a secret", remedy: "Give the secret itself." },
  {
    says: "PROPERTY was changed by others, or may have been",
    remedy: "Give this secret, and take it out of `ignoreChanges` for this update.",
  },
  { says: "PROPERTY must be a public key: this is a private one", remedy: "Make a new pair, and give its public part." },
  {
    says: "PROPERTY must be a private key that is not encrypted",
    remedy: "Decrypt it: `openssl pkey -in old.pem -out new.pem`.",
  },
  { says: "... can't be a name or an id in an address", remedy: named },
];
