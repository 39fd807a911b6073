/** The engine's markers for values that JSON lacks. A test compares them with the SDK's exports. */

/** The text for a value that a preview does not know yet. */
export const unknownMarker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key that marks an object as a secret, a resource or an output. The next three constants are its values. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
export const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";
export const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
