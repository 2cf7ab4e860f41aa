import { batchAhead } from '../../src/ports/stores/send-queue.ts'
import type { Checker } from './checker.ts'

const MINUTE_MS = 60_000
const SECOND_MS = 1_000

/**
 * No stretch of time holds more messages of a batch than its pace, those of a second more, and those that were under
 * way as the stretch began, at the node that had the number then and at the one before.
 */
export const batchesKeepTheirPace: Checker = ({ cluster: { upstream }, numbers, accepted }) => {
  const batches = new Map(accepted.flatMap(({ messageId, batch }) => (batch ? [[messageId, batch] as const] : [])))
  return numbers.flatMap((numberId) => {
    const taken = Map.groupBy(upstream.device(numberId).taken, ({ messageId }) => batches.get(messageId)?.id)
    return [...taken].flatMap(([id, messages]) => {
      const perMinute = batches.get(messages[0]?.messageId ?? 'msg_')?.perMinute ?? null
      if (perMinute === null) return []
      const atOnce = Math.max(1, (perMinute * SECOND_MS) / MINUTE_MS) + 2 * batchAhead(perMinute)
      const times = messages.map(({ atMs }) => atMs)
      const isTooMany = times.some((fromMs, from) =>
        times.slice(from).some((toMs, more) => more + 1 > atOnce + ((toMs - fromMs) * perMinute) / MINUTE_MS),
      )
      return isTooMany
        ? [`${id} has a pace of ${perMinute} a minute, upstream took messages at ${times.join(', ')}`]
        : []
    })
  })
}

/** What a client was told is canceled is canceled, and nothing else is. */
export const canceledIsNotSent: Checker = ({ cluster: { database }, accepted, canceled }) => {
  const members = Map.groupBy(accepted, ({ batch }) => batch?.id ?? null)
  return [...members].flatMap(([id, messages]) => {
    const stopped = messages.filter(({ messageId }) => database.messages.row(messageId).status === 'CANCELED').length
    const asked = canceled.find(({ batchId }) => batchId === id)
    const most = asked ? messages.length : 0
    return stopped >= (asked?.told ?? 0) && stopped <= most
      ? []
      : [`of ${id ?? 'single sends'} ${asked?.told ?? 0} were told as canceled, ${stopped} are`]
  })
}
