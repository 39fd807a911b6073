/** The regions of the random lifecycles' clusters. The first is authoritative. */
export const regions = ["global", "west"] as const;
