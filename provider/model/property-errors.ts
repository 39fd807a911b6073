import type { ErrorWords } from "./error-words";

const named = "Correct it: the message names what it may be. A value is not shown, because it may be a secret.";
const needed = "Give it, or what the message names in its place.";

/**
 * The errors of inputs and arguments that check refuses, and of names that no request can have. They have no code: an engine reports all of
 * an object at once, each with its property. The texts are for the documents (`npm run generate`).
 */
export const propertyErrors: readonly ErrorWords[] = [
  { says: "PROPERTY must ...", remedy: named },
  { says: "PROPERTY is invalid: ...", remedy: named },
  {
    says: "PROPERTY is not a property here",
    remedy: "Use a name from the message. A newer property needs a newer version of this package.",
  },
  { says: "PROPERTY is required", remedy: needed },
  { says: "bindName is required when bindType is ...", remedy: needed },
  { says: "config needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT", remedy: needed },
  {
    says: 'selector is required when bindType is "management"',
    remedy: 'Give a selector, or `""` if every login is to get management.',
  },
  {
    says: 'bindName is not allowed when bindType is "management"',
    remedy: "Leave it out, or choose `role` or `policy`.",
  },
  { says: "config.oidcDiscoveryUrl must be given without the .well-known part", remedy: "Give `https://idp.example.com` alone." },
  { says: "PROPERTY can't be read: ...", remedy: "Mend [the policy's rules](rights.md#whether-rules-are-valid) at that line and column." },
  { says: "PROPERTY is the word ..., which the API returns in place of a secret", remedy: "Give the secret itself." },
  {
    says: "PROPERTY was changed by others, or may have been",
    remedy: "Give this secret, and take it out of `ignoreChanges` for this update: a new method needs it.",
  },
  { says: "PROPERTY must be a public key: this is a private one", remedy: "Make a new pair, and give its public part." },
  {
    says: "PROPERTY must be a private key that is not encrypted",
    remedy: "Decrypt it: `openssl pkey -in old.pem -out new.pem`.",
  },
  { says: "... can't be a name or an id in an address", remedy: "Give one that is not empty, `.` or `..`." },
];
