import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { MediaHostEntry, MediaRegister } from '../ports/media-register.ts'
import { REGISTER_TTL_MS } from '../ports/register.ts'

/**
 * our choice, in ms: a host that joins is known within a second, and one that was killed is dropped after 7 s at most.
 */
export const LOOK_MS = 1_000

export interface RegisteredHostsParts {
  readonly register: MediaRegister
  /** The media client. */
  readonly hosts: {
    /**
     * Takes what the register says now. `isWhole` is false while hosts may be missing because the register was lost.
     */
    useRegistered(entries: readonly MediaHostEntry[], isWhole: boolean): void
  }
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps the media client in step with the register. While the register cannot be read nothing changes. Once it can be
 * read again, no host counts as missing for the life of an entry, since a register that was lost fills only then. Gives
 * a function that ends it.
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
