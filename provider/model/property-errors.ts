import type { ErrorWords } from "./error-words";

/**
 * The errors of inputs and arguments that check refuses, and of names that no request can have. They have no code: an engine reports all of
 * an object at once, each with its property. The texts are for the documents (`npm run generate`).
 */
export const propertyErrors: readonly ErrorWords[] = [
  {
    says: "PROPERTY is required",
    cause: "It is left out or null. Some are required for one type only.",
    remedy: "Give it, or the key of the configuration in the message.",
  },
  {
    says: "PROPERTY is not a property here",
    cause: "It is misspelt, of another object, or newer than this version.",
    remedy: "Use a name from the message.",
  },
  {
    says: "PROPERTY must ...",
    cause: "The service does not take this form. The value may be a secret, so it is not shown.",
    remedy: "Do what the message says.",
  },
  {
    says: "PROPERTY is invalid: ...",
    cause: "The value is of another type, such as a text in place of a list.",
    remedy: "Give one of the type in the message.",
  },
  {
    says: "config needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT",
    cause: "Nothing checks the signatures.",
    remedy: "Give one of them.",
  },
  {
    says: "config.oidcDiscoveryUrl must be given without the .well-known part",
    cause: "The servers add it.",
    remedy: "Give `https://idp.example.com` alone.",
  },
  {
    says: "PROPERTY can't be read: ...",
    cause: "No server takes this text as a policy: its syntax, or the type of a value, is wrong.",
    remedy: "Mend it at the line and column of the message.",
  },
  {
    says: "PROPERTY is the word ..., which the API returns in place of a secret",
    cause: "The program has a copy of a response.",
    remedy: "Give the secret itself.",
  },
  {
    says: "PROPERTY was changed by others, or may have been",
    cause: "A new method would lack a secret that the program ignores.",
    remedy: "Give the secret, and take it out of `ignoreChanges` for this update.",
  },
  {
    says: "PROPERTY must be a public key: this is a private one",
    cause: "Readers of the method would see it.",
    remedy: "Make a new pair, and give its public part.",
  },
  {
    says: "PROPERTY must be a private key that is not encrypted",
    cause: "The API takes no passphrase.",
    remedy: "Decrypt it: `openssl pkey -in old.pem -out new.pem`.",
  },
  {
    says: 'selector is required when bindType is "management"',
    cause: "Every login would get management.",
    remedy: 'Give a selector, or `""` if everyone is meant.',
  },
  {
    says: 'bindName is not allowed when bindType is "management"',
    cause: "Management has no name.",
    remedy: "Leave it out, or choose `role` or `policy`.",
  },
  {
    says: "bindName is required when bindType is ...",
    cause: "A rule names the role or policy that it binds.",
    remedy: "Give the name.",
  },
  {
    says: "... can't be a name or an id in an address",
    cause: "It is empty, `.` or `..`, so servers would take it for another address.",
    remedy: "Use another one.",
  },
];
