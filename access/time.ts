/**
 * Parses a time: `2027-01-31`, `2027-01-31T12:00:00Z`, without seconds or with a fraction, with an offset instead of the Z, or in seconds
 * since 1970. Undefined for any other text.
 */
export function timeIn(text: string): Date | undefined {
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = /^\d{1,12}$/.test(text) ? new Date(Number(text) * 1000) : new Date(isDate ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
