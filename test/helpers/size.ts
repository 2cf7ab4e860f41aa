/** Whether ledgers and races run at full size: the gate does so, on real servers. */
export const IS_FULL = process.env['TEST_FULL'] === '1'

/** `full` in the gate; `small`, which shows the same in seconds, elsewhere. */
export function sized(full: number, small: number): number {
  return IS_FULL ? full : small
}

/** How long a test of full size may take before it counts as stuck. */
export const FULL_SIZE_MS = 1_800_000
