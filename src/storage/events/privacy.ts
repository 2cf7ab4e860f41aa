import { EVENT_NAMES, eventFacts } from '../../domain/events.ts'
import { factsOf, NATIVE_FIELDS } from '../../domain/upstream-fields.ts'
import { isWithheld } from '../numbers/retention.ts'

const TELLING = [
  ...EVENT_NAMES.filter((name) => eventFacts(name).tellsOfPerson),
  ...NATIVE_FIELDS.filter((field) => factsOf(field)?.tellsOfPerson),
]

/**
 * What stands for the data of an event that privacy withholds or has wiped, which is an empty text (our choice). Of a
 * lead that was erased it is what is stored, and delivered from then on (contract 12, Erasing).
 */
export const WITHHELD = '{"redacted":true}'

/** SQL that is true of events `e` that say what was in a message, or who wrote or got it: ours and upstream's own. */
export const TELLS_OF_PERSON = `e.event in (${TELLING.map((name) => `'${name}'`).join(', ')})`

const ERASABLE = EVENT_NAMES.filter((name) => eventFacts(name).isErasable)

/** SQL that is true of names of events, `event`, that are emptied when what they tell of is erased. */
export function isErasable(event: string): string {
  return `${event} in (${ERASABLE.map((name) => `'${name}'`).join(', ')})`
}

/**
 * SQL that is true of events `e` whose data the privacy of their number `n` (left join) withholds from reads. Our
 * choice: what a removed number told of messages is withheld as its messages are gone.
 */
export function isEventWithheld(now: string): string {
  return `(${TELLS_OF_PERSON} and (n.id is null or ${isWithheld('e.created_at', now)}))`
}
