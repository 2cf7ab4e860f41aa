import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { REGISTER_TTL_MS } from '../ports/register.ts'
import type { Register } from '../ports/register.ts'
import type { EntryKind } from './entry-kind.ts'

/**
 * our choice, in ms: a program that joins is known within a second, and one that was killed is missed after 7 s at
 * most.
 */
export const LOOK_MS = 1_000

export interface FollowRegisterParts<Entry extends object> {
  readonly kind: Pick<EntryKind<Entry>, 'programs'>
  readonly register: Pick<Register<Entry>, 'list'>
  /**
   * Takes what the register says now. `isWhole` is false while programs may be missing because the register was lost.
   */
  readonly use: (entries: readonly Entry[], isWhole: boolean) => void
  /** What an operator can do when none is registered, for the log; null when nobody has to. */
  readonly remedy: string | null
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps a gateway in step with a register. While the register cannot be read nothing changes. Once it can be read
 * again, no program counts as missing for the life of an entry, since a register that was lost fills only then. Gives a
 * function that ends it.
 */
export function followRegister<Entry extends object>(parts: FollowRegisterParts<Entry>): () => void {
  const { kind, register, use, remedy, clock, log } = parts
  let isStopped = false
  let timer: Timer | null = null
  let wholeFromMs: number | null = null
  let wasMissed = false

  async function look(): Promise<void> {
    try {
      const entries = await register.list()
      if (isStopped) return
      wholeFromMs ??= clock.monotonicMs() + REGISTER_TTL_MS
      const isWhole = clock.monotonicMs() >= wholeFromMs
      use(entries, isWhole)
      const isMissed = isWhole && entries.length === 0
      if (isMissed && !wasMissed && remedy !== null)
        log.warn({}, `no ${kind.programs} are registered in Redis under this INTERNAL_SECRET: ${remedy}`)
      wasMissed = isMissed
    } catch (error) {
      if (wholeFromMs !== null)
        log.warn(
          { error: error instanceof Error ? error.message : 'unknown' },
          `the register of ${kind.programs} cannot be read; those that are known are used`,
        )
      wholeFromMs = null
    }
    if (!isStopped) timer = clock.after(LOOK_MS, () => void look())
  }

  void look()
  return () => {
    isStopped = true
    timer?.cancel()
  }
}
