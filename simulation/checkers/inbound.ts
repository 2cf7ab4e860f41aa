import type { Checker } from './checker.ts'

/** What a person wrote is stored once, and told once. */
export const eachWrittenIsStoredOnce: Checker = ({ cluster: { database }, workload: { written } }) =>
  written.flatMap(({ externalMessageId, text }) => {
    const rows = database.messages.received.filter((row) => row.externalMessageId === externalMessageId).length
    const told = database.rows.stored.filter(
      ({ event, data }) => event === 'message.received' && JSON.stringify(data).includes(`"${externalMessageId}"`),
    ).length
    return rows === 1 && told === 1 ? [] : [`${text} was written once, is stored ${rows} times and told ${told} times`]
  })

/** Messages of a person are stored in the order in which they were written. */
export const writtenKeepTheirOrder: Checker = ({ cluster: { database, numbers }, workload: { written } }) =>
  numbers.flatMap((numberId) => {
    const own = written.filter((one) => one.numberId === numberId)
    return [...new Set(own.map(({ from }) => from))].flatMap((person) => {
      const meant = own.filter(({ from }) => from === person).map(({ externalMessageId }) => externalMessageId)
      const came = database.messages.received
        .map(({ externalMessageId }) => externalMessageId)
        .filter((id) => meant.includes(id))
      return came.join() === meant.filter((id) => came.includes(id)).join()
        ? []
        : [`${person} wrote ${meant.join(' ')}, stored are ${came.join(' ')}`]
    })
  })

/** What upstream says became of a message is known. */
export const noStatusIsLost: Checker = ({ cluster: { database, upstream, numbers } }) =>
  numbers.flatMap((numberId) =>
    upstream.device(numberId).taken.flatMap(({ messageId, text }) => {
      const told = database.messages.reports.filter(({ externalMessageId }) => externalMessageId === `up-${messageId}`)
      const names = new Set(told.map(({ status }) => status))
      return names.has('DELIVERED') && names.has('READ') ? [] : [`${text} was read, known is ${[...names].join(' ')}`]
    }),
  )
