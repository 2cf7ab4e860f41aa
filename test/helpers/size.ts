/** Whether ledgers and races run at full size: the gate does so, on real servers. */
export const IS_FULL = process.env['TEST_FULL'] === '1'

/** Whether ledgers run at the size that takes longer than the gate has: by hand, with TEST_FULL=1 too. */
export const IS_LONG = process.env['TEST_LONG'] === '1'

/** `full` in the gate; `small`, which shows the same in seconds, elsewhere. */
export function sized(full: number, small: number): number {
  return IS_FULL ? full : small
}

/**
 * How long a ledger may take before it counts as stuck. While it is not over, no test that hangs ends a run: that is
 * less than the `timeout` of ava.config.js, whose one look at a run in which nothing happens would else come too early,
 * and none comes after it.
 */
export const LEDGER_MS = sized(1_200_000, 480_000)
