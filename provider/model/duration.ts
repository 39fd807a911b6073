import * as z from "zod";
import { parseDuration } from "../../common/durations";

/** A text that is a length of time, in Go's form. */
export const duration = z.string().refine((value) => parseDuration(value) !== undefined, 'must be a duration like "60s", "5m" or "1h0m0s"');
