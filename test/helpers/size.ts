/** Whether ledgers and races run at full size, as the gate runs them on real servers. */
export const IS_FULL = process.env['TEST_FULL'] === '1'

/** Whether ledgers run at a size that takes longer than the gate allows; for manual runs, with TEST_FULL=1 too. */
export const IS_LONG = process.env['TEST_LONG'] === '1'

/**
 * Which part of its full count a ledger has: at most 1, and 0 on a machine so slow that everything has its small size.
 * The gate says less on a slow machine, so that it ends in time there too.
 */
const SHARE = Number(process.env['TEST_SHARE'] ?? 1)

/** `full` in the gate on a machine that is fast enough; elsewhere `small`, which shows the same in seconds. */
export function sized<T>(full: T, small: T): T {
  return IS_FULL && SHARE > 0 ? full : small
}

/**
 * `full` in the gate, less on a slow machine, elsewhere `small`: a count of things of which each shows the same, as
 * messages, kills or runs.
 */
export function counted(full: number, small: number): number {
  return IS_FULL ? Math.max(small, Math.ceil(full * SHARE)) : small
}

/**
 * How long a ledger may take before it counts as stuck, in ms. It is less than the `timeout` of ava.config.js: ava
 * checks once for a run without progress, and during a ledger that check would come too early to end a test that hangs.
 */
export const LEDGER_MS = IS_FULL ? 1_200_000 : 480_000
