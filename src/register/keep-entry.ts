import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { REGISTER_EVERY_MS } from '../ports/register.ts'
import type { Register } from '../ports/register.ts'

export interface KeepEntryParts<Entry> {
  readonly register: Pick<Register<Entry>, 'put' | 'remove'>
  readonly id: string
  /** What this program is, in the words of the log. */
  readonly program: string
  /** The entry as it is now. */
  readonly describe: () => Entry
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  readonly log: Log
}

/** A program's entry in the register. */
export interface KeptEntry {
  /** Writes the entry now, because a change should not wait. Resolves once that was tried; never rejects. */
  tell(): Promise<void>
  /** Ms since the entry was last written, or since the start before it was. */
  staleMs(): number
  /** Removes the entry for good. Never rejects. */
  withdraw(): Promise<void>
}

/** Writes a program's entry now and every 2 s. A failure is logged once, and its end once. */
export function keepEntry<Entry>({ register, id, program, describe, clock, log }: KeepEntryParts<Entry>): KeptEntry {
  let timer: Timer | null = null
  let isAway = false
  let keptAtMs = clock.monotonicMs()
  let isWithdrawn = false

  async function put(): Promise<void> {
    timer = clock.after(REGISTER_EVERY_MS, () => void put())
    try {
      await register.put(describe())
      if (isAway) log.info({}, 'registered again with the gateways')
      isAway = false
      keptAtMs = clock.monotonicMs()
    } catch (error) {
      if (!isAway)
        log.warn(
          { error: error instanceof Error ? error.message : 'unknown' },
          `cannot register with the gateways; those that know this ${program} go on`,
        )
      isAway = true
    }
    // A write that was under way during the removal has put the entry back.
    if (isWithdrawn) await register.remove(id).catch(() => {})
  }

  void put()
  return {
    async tell() {
      timer?.cancel()
      if (!isWithdrawn) await put()
    },
    staleMs: () => clock.monotonicMs() - keptAtMs,
    async withdraw() {
      isWithdrawn = true
      timer?.cancel()
      await register.remove(id).catch(() => {})
    },
  }
}
