/** SQL that is true of a number `n` whose messages are kept for so many days. */
export const LIMITED = `n.pii_mode = 'STORE_X_DAYS' and n.pii_retention_days is not null`
/** SQL of the time before which they are not kept; `$1` is the present. */
export const CUT = `$1::timestamptz - n.pii_retention_days * interval '1 day'`

/**
 * SQL that is true where the privacy of number `n`, as it is now, withholds what is from the time `at`; `now` is the time parameter.
 * A number without a readable window withholds everything.
 */
export function isWithheld(at: string, now: string): string {
  return `(n.pii_mode = 'RELAY_ONLY' or (n.pii_mode = 'STORE_X_DAYS' and coalesce(${at} < ${now}::timestamptz - n.pii_retention_days * interval '1 day', true)))`
}
