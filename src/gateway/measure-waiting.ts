import type { SendQueue } from '../ports/stores/send-queue.ts'
import type { Core } from './core.ts'

/** Our choice: the greatest age in ms of what metrics say of waiting sends. */
const COUNT_EVERY_MS = 10_000

/** Measures how many messages wait to be sent, and how long the oldest has waited. */
export function measureWaiting(
  { clock, metrics, upkeep }: Pick<Core, 'clock' | 'metrics' | 'upkeep'>,
  queue: Pick<SendQueue, 'waiting'>,
): void {
  const waiting = metrics.gauge('messages_waiting', 'Messages whose time has come and that are not sent.')
  const age = metrics.gauge('messages_waiting_age_seconds', 'How long the first of them waits.')
  upkeep.add({
    name: 'count-waiting-messages',
    everyMs: COUNT_EVERY_MS,
    isDueAtStart: true,
    async run() {
      const { count, since } = await queue.waiting()
      waiting.set(count)
      age.set(since === null ? 0 : Math.max(0, clock.now() - since.getTime()) / 1000)
    },
  })
}
