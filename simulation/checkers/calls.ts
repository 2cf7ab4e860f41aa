import { isLive } from '../../src/domain/call.ts'
import type { Checker } from './checker.ts'

/** What may be told of a call, in order; each at most once, and one of the last. */
const STEPS = ['call.ringing', 'call.connected', 'call.ended'] as const
const PLACES = new Map<string, number>([...STEPS.entries()].map(([place, event]) => [event, place]))
const ENDS: ReadonlySet<string> = new Set(['call.ended', 'call.missed'])

/** Each call ends, and its end is told once, as the last of it. */
export const eachCallEndsOnce: Checker = ({ cluster: { database }, numbers }) =>
  [...database.rows.calls.values()]
    .filter(({ numberId }) => numbers.includes(numberId))
    .flatMap(({ id, status, externalCallId }) => {
      const told = database.rows.stored
        .filter(({ event, data }) => event.startsWith('call.') && data['id'] === id)
        .map(({ event }) => event)
      const places = told.map((event) => PLACES.get(event) ?? STEPS.length)
      const isInOrder = places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1))
      const isEnded = told.filter((event) => ENDS.has(event)).length === 1 && ENDS.has(told.at(-1) ?? '')
      return !isLive(status) && isInOrder && isEnded
        ? []
        : [`${externalCallId ?? id} is ${status}, told was ${told.join(', ') || 'nothing'}`]
    })

/** No media host holds a call that is over, and none goes on upstream. */
export const noCallIsLeft: Checker = ({ cluster: { database, media, upstream } }) => [
  ...[...media.legs.keys()].map(
    (callId) => `${database.rows.calls.get(callId)?.externalCallId ?? callId} is over, and has a leg`,
  ),
  ...(upstream.calls.isQuiet ? [] : ['a call goes on upstream that nobody here holds']),
]
