import type { MessageId } from '../../src/domain/ids.ts'
import { STATUS_EVENTS } from '../../src/domain/message-event.ts'
import type { Database } from '../database.ts'
import type { Checker } from './checker.ts'

/** What may be told of a message, in order. */
const STEPS = ['message.sent', 'message.delivered', 'message.read'] as const
const TOLD = new Map<string, string>(Object.entries(STATUS_EVENTS))

/** The events that tell of steps of a message, in order. */
function toldOf({ rows }: Database, messageId: MessageId): string[] {
  const names = new Set(TOLD.values())
  return rows.stored
    .filter(({ event, data }) => names.has(event) && data['internalMessageId'] === messageId)
    .map(({ event }) => event)
}

/** No step that came before is told after a later one. */
export const statusesGoForward: Checker = ({ cluster: { database }, accepted }) =>
  accepted.flatMap(({ messageId, text }) => {
    const told = toldOf(database, messageId)
    const places = told.map((event) => (STEPS as readonly string[]).indexOf(event))
    return places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0))
      ? []
      : [`${text} was ${told.join(', ')}`]
  })

/** Each step has one event, and the last one says what the row says. */
export const eachStepIsToldOnce: Checker = ({ cluster: { database }, accepted }) =>
  accepted.flatMap(({ messageId, text }) => {
    const told = toldOf(database, messageId)
    const { status } = database.messages.row(messageId)
    const isOnce = new Set(told).size === told.length && told.at(-1) === TOLD.get(status)
    return isOnce ? [] : [`${text} is ${status}, told was ${told.join(', ') || 'nothing'}`]
  })

/** What upstream says became of a message is known. */
export const noStatusIsLost: Checker = ({ cluster: { database, upstream }, numbers }) =>
  numbers.flatMap((numberId) =>
    upstream.device(numberId).taken.flatMap(({ messageId, text }) => {
      const status = database.messages.queued.get(messageId)?.status
      return status === 'READ' ? [] : [`${text} was read, known is ${status}`]
    }),
  )
