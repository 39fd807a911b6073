/** Replaces a secret of a state. */
export const secretMarker = "[secret]";

/** Replaces a text that is unknown before an update. */
export const unknownName = "[unknown]";
