import type { Checker } from './checker.ts'

/** The last that was told of a number's connection, and its row, is what upstream sees. */
export const statesAreTrue: Checker = ({ cluster: { database, upstream }, numbers }) =>
  numbers.flatMap((numberId) => {
    const said = database.rows.numbers.get(numberId)?.state
    const told = database.rows.stored.findLast(
      (event) => event.numberId === numberId && ['number.connected', 'number.disconnected'].includes(event.event),
    )
    const isOpen = upstream.device(numberId).socket !== null
    const isToldOpen = told?.event === 'number.connected'
    return (said === 'OPEN') === isOpen && isToldOpen === isOpen
      ? []
      : [`${numberId} is ${isOpen ? 'connected' : 'not connected'}, its row says ${said}, told was ${told?.event}`]
  })
