import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { REGISTER_TTL_MS } from '../ports/media-register.ts'
import type { MediaHostEntry, MediaRegister } from '../ports/media-register.ts'

/** our choice: a host that joins is known within a second, one that was killed 7 s later at most. */
export const LOOK_MS = 1_000

export interface RegisteredHostsParts {
  readonly register: MediaRegister
  /** The media client. */
  readonly hosts: {
    /**
     * Takes what the register says now. `isWhole` false: hosts it does not name may be missing for want of the
     * register.
     */
    useRegistered(entries: readonly MediaHostEntry[], isWhole: boolean): void
  }
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps the media client in step with the register. While that cannot be read nothing changes; and for as long as
 * entries last after it can be read again nobody is missed, because a register that was lost fills only then. Answers
 * what ends it.
 */
export function followRegister({ register, hosts, clock, log }: RegisteredHostsParts): () => void {
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
      hosts.useRegistered(entries, isWhole)
      if (isWhole && entries.length === 0 && !wasMissed)
        log.warn(
          {},
          'no media host is registered in Redis under this INTERNAL_SECRET: start one, or set MEDIA_HOSTS=child',
        )
      wasMissed = isWhole && entries.length === 0
    } catch (error) {
      if (wholeFromMs !== null)
        log.warn(
          { error: error instanceof Error ? error.message : 'unknown' },
          'the register of media hosts cannot be read; those that are known are used',
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
