/** Stands in place of a secret of a state. */
export const secretMarker = "[secret]";

/** Stands for a text that is not known before an update. */
export const unknownName = "[unknown]";
