/** SQL that is true of a number `n` whose messages are kept for so many days. */
export const LIMITED = `n.pii_mode = 'STORE_X_DAYS' and n.pii_retention_days is not null`
/** SQL of the time before which they are not kept; `$1` is the present. */
export const CUT = `$1::timestamptz - n.pii_retention_days * interval '1 day'`
