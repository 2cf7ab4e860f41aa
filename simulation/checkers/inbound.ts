import type { Checker } from './checker.ts'

/** What a person wrote is stored once, and told once. */
export const eachWrittenIsStoredOnce: Checker = ({ cluster: { database }, written }) =>
  written.flatMap(({ externalMessageId, text }) => {
    const rows = database.messages.received.filter((row) => row.externalMessageId === externalMessageId).length
    const told = database.rows.stored.filter(
      ({ event, data }) => event === 'message.received' && JSON.stringify(data).includes(`"${externalMessageId}"`),
    ).length
    return rows === 1 && told === 1 ? [] : [`${text} was written once, is stored ${rows} times and told ${told} times`]
  })

/** Messages of a person are stored in the order in which they were written. */
export const writtenKeepTheirOrder: Checker = ({ cluster: { database }, numbers, written }) =>
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
