import type { Checker } from './checker.ts'

/** What was under way as a number was removed may come this much later, in ms: a try of a webhook may take 15 s. */
const UNDER_WAY_MS = 20_000

/** Nothing is left of a number that was removed, and nothing is done for it. */
export const removedIsGone: Checker = ({ cluster: { database, upstream, receivers }, removed }) =>
  removed.flatMap(({ numberId, atMs }) => {
    const { rows, messages } = database
    const device = upstream.device(numberId)
    const url = database.urlOf(numberId)
    const left = {
      'a row': rows.numbers.has(numberId),
      'an owner': (rows.leases.get(numberId)?.token ?? 0) > 0,
      'messages that wait': [...messages.queued.values()].some((row) => row.numberId === numberId),
      'a gateway at its device': device.socket?.isServed === true,
      sends: device.taken.some((taken) => taken.atMs > atMs + UNDER_WAY_MS),
      deliveries: receivers.arrivals.some((one) => one.url === url && one.atMs > atMs + UNDER_WAY_MS),
    }
    return Object.entries(left).flatMap(([what, isLeft]) => (isLeft ? [`${numberId} was removed and has ${what}`] : []))
  })

/** What was accepted for a number before it was removed has an end that was told. */
export const removedHasEnded: Checker = ({ cluster: { database }, removed, canceled }) =>
  removed.flatMap(({ accepted }) =>
    accepted.flatMap(({ messageId, text, batch }) => {
      // What was canceled has no event, and its row is gone.
      if (canceled.some(({ batchId }) => batchId === batch?.id)) return []
      const told = database.rows.stored.filter(({ data }) => data['internalMessageId'] === messageId)
      return told.length > 0 ? [] : [`${text} was accepted, its number removed, and nothing told`]
    }),
  )
