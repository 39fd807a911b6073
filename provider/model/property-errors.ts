import type { Words } from "./user-error-areas";

/**
 * The errors of inputs and arguments that check refuses, and of names that no request can have. They have no code: an engine reports all of
 * an object at once, each with its property. The texts are for the documents (`npm run generate`).
 */
export const propertyErrors: readonly Words[] = [
  {
    says: "PROPERTY is required",
    cause: "The property is left out, null or undefined. Some are required only for a type of auth method, or of binding rule.",
    remedy: "Give it. Where the message names a key of the configuration, that does as well.",
  },
  {
    says: "PROPERTY is not a property here",
    cause: "The name is misspelt, stands at another place of the object, or belongs to a newer version of this package.",
    remedy: "Use the name that the message suggests, or one of those that it lists.",
  },
  {
    says: "PROPERTY must ...",
    cause: "The value is not of the form that the service takes. It is not shown, because it may be a secret.",
    remedy: "Correct it as the message says. What the server has already and the program does not change is a warning only.",
  },
  {
    says: "PROPERTY is invalid: ...",
    cause: "The value is of another type, such as a text in place of a list.",
    remedy: "Give a value of the type that the message names.",
  },
  {
    says: "config needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT",
    cause: "A method of the type JWT has nothing by which signatures can be checked.",
    remedy: "Give one of the three.",
  },
  {
    says: "config.oidcDiscoveryUrl must be given without the .well-known part",
    cause: "The servers add `/.well-known/openid-configuration` to the address themselves.",
    remedy: "Give the issuer's address alone, such as `https://idp.example.com`.",
  },
  {
    says: "PROPERTY is the word ..., which the API returns in place of a secret",
    cause: "The program has what was copied from a response of the cluster, where secrets are replaced by this word.",
    remedy: "Give the secret itself, from the identity provider or from a stack's configuration.",
  },
  {
    says: "PROPERTY was changed by others, or may have been: nobody can read what it is now, and a new method would be without it",
    cause: "The method has to be replaced, and the program leaves a secret to others (`ignoreChanges`) that the state does not have.",
    remedy: "Give the secret, and take it out of `ignoreChanges` for this update.",
  },
  {
    says: "PROPERTY must be a public key: this is a private one",
    cause: "A private key stands where everybody who may read the method sees it.",
    remedy: "Make a new pair, because this key is no longer secret, and give its public part.",
  },
  {
    says: "PROPERTY must be a private key that is not encrypted",
    cause: "The key needs a passphrase, and the API takes none.",
    remedy: "Decrypt it first (`openssl pkey -in encrypted.pem -out key.pem`), and give it as a secret.",
  },
  {
    says: 'selector is required when bindType is "management"',
    cause: "A rule without a selector is for every login of the method, which here would be management for everyone.",
    remedy: 'Give the selector of those who are meant. Where everyone is, write `selector: ""`.',
  },
  {
    says: 'bindName is not allowed when bindType is "management"',
    cause: "Management has no name.",
    remedy:
      "Leave `bindName` out, or choose `role` or `policy`. With `ignoreChanges`, the message says which of the two to add or to take out.",
  },
  {
    says: "bindName is required when bindType is ...",
    cause: "A rule that binds a role or a policy has to name it.",
    remedy: "Give the name. With `ignoreChanges`, the message says which of the two to add or to take out.",
  },
  {
    says: "... can't be a name or an id in an address",
    cause:
      "A name, an ID or an argument is empty between two slashes, or is `.` or `..`. Proxies and servers would take it for another address, so that nothing was sent.",
    remedy: "Use another name. An import or a look-up by ID takes the ID as the service shows it.",
  },
];
