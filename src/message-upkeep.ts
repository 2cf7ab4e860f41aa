import type { Clock, Timer } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { SendQueue } from './ports/stores/send-queue.ts'

/** Our choice: messages whose time is over end within two seconds. */
const LOOK_MS = 2_000
/** Our choice: messages one statement ends. */
const BATCH = 500
/**
 * Our choice: upstream answers within 20 s or not at all; a message that was asked about more recently is in its owner's hand, whose outcome
 * counts.
 */
const DOUBT_MS = 60_000

export interface MessageUpkeep {
  start(): void
  /** Waits for the round under way. Idempotent. */
  stop(): Promise<void>
}

/** Ends messages that waited too long (contract 4: EXPIRED_AFTER_ATTEMPTS, NEVER_ATTEMPTED_MAX_AGE_EXCEEDED). Every node does; rows decide. */
export function createMessageUpkeep({ queue, clock, log }: { readonly queue: Pick<SendQueue, 'expire'>, readonly clock: Clock, readonly log: Log }): MessageUpkeep {
  let timer: Timer | null = null
  let round: Promise<void> = Promise.resolve()
  let isRunning = false

  async function look(): Promise<void> {
    const ended = await queue.expire(BATCH, DOUBT_MS).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'messages that waited too long were not ended')
      return 0
    })
    if (isRunning) plan(ended === BATCH ? 0 : LOOK_MS)
  }
  function plan(delayMs: number): void {
    timer = clock.after(delayMs, () => { round = look() })
  }
  return {
    start() {
      isRunning = true
      plan(LOOK_MS)
    },
    async stop() {
      isRunning = false
      timer?.cancel()
      await round
    },
  }
}
