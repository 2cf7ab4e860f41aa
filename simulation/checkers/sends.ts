import type { Checker } from './checker.ts'

/** What was accepted reached upstream once, unless it was told to have failed. */
export const eachAcceptedIsSentOnce: Checker = ({ cluster: { upstream, database }, accepted }) =>
  accepted.flatMap(({ numberId, text, messageId }) => {
    const times = upstream.device(numberId).taken.filter((taken) => taken.messageId === messageId).length
    const row = database.messages.row(messageId)
    if (row.status === 'FAILED' || row.status === 'CANCELED')
      return times === 0 ? [] : [`${text} is ${row.status}, and upstream took it`]
    if (row.status === 'QUEUED') return [`${text} was accepted and is still queued`]
    return times === 1 ? [] : [`${text} was accepted and reached upstream ${times} times`]
  })

/** What upstream took was accepted by the service. */
export const nothingElseIsSent: Checker = ({ cluster: { upstream, database }, numbers }) =>
  numbers.flatMap((numberId) =>
    upstream
      .device(numberId)
      .taken.filter(({ messageId }) => !database.messages.queued.has(messageId))
      .map(({ text }) => `upstream took ${text}, which nobody sent`),
  )

/** What has a schedule is not sent before. */
export const nothingIsSentEarly: Checker = ({ cluster: { upstream }, accepted }) =>
  accepted.flatMap(({ numberId, messageId, text, deliverAtMs }) => {
    const taken = upstream.device(numberId).taken.find((one) => one.messageId === messageId)
    const earlyMs = (deliverAtMs ?? 0) - (taken?.atMs ?? Infinity)
    return earlyMs > 0 ? [`${text} was sent ${earlyMs} ms before its time`] : []
  })

/**
 * Messages of a conversation reach upstream in the order in which they were accepted: those that have no schedule, and
 * those of each batch among themselves.
 */
export const sendsKeepTheirOrder: Checker = ({ cluster: { upstream }, accepted }) => {
  const ordered = accepted.filter(({ deliverAtMs }) => deliverAtMs === null)
  const lanes = Map.groupBy(ordered, ({ numberId, address, batch }) => `${numberId} ${address} ${batch?.id ?? ''}`)
  return [...lanes.values()].flatMap((lane) => {
    const [{ numberId, address } = { numberId: 'num_', address: '' } as const] = lane
    const { taken } = upstream.device(numberId)
    const came = taken.map(({ messageId }) => messageId).filter((id) => lane.some(({ messageId }) => messageId === id))
    const meant = lane.filter(({ messageId }) => came.includes(messageId))
    const textOf = new Map(lane.map(({ messageId, text }) => [messageId, text]))
    const told = came.map((id) => textOf.get(id)).join(' ')
    const wanted = meant.map(({ text }) => text).join(' ')
    return told === wanted ? [] : [`${address} was sent ${told} instead of ${wanted}`]
  })
}
