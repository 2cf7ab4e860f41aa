import type { Checker } from './checker.ts'

/** What was accepted reached upstream once, unless it was told to have failed. */
export const eachAcceptedIsSentOnce: Checker = ({ cluster: { upstream, database }, accepted }) =>
  accepted.flatMap(({ numberId, text, messageId }) => {
    const times = upstream.device(numberId).taken.filter((taken) => taken.messageId === messageId).length
    const row = database.messages.row(messageId)
    if (row.status === 'FAILED') return times === 0 ? [] : [`${text} failed, and upstream took it`]
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

/** Messages of a conversation that have no schedule reach upstream in the order in which they were accepted. */
export const sendsKeepTheirOrder: Checker = ({ cluster: { upstream }, numbers, accepted }) =>
  numbers.flatMap((numberId) => {
    const scheduled = new Set(accepted.filter((one) => one.deliverAtMs !== null).map(({ text }) => text))
    const taken = upstream.device(numberId).taken.filter(({ text }) => !scheduled.has(text))
    const people = [...new Set(taken.map(({ to }) => to))]
    return people.flatMap((person) => {
      const came = taken.filter(({ to }) => to === person).map(({ text }) => text)
      const meant = accepted
        .filter((one) => one.numberId === numberId && one.address === person && came.includes(one.text))
        .map(({ text }) => text)
      return came.join() === meant.join() ? [] : [`${person} was sent ${came.join(' ')} instead of ${meant.join(' ')}`]
    })
  })
