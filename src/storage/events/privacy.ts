import { EVENT_NAMES, eventFacts } from '../../domain/events.ts'
import { factsOf, NATIVE_FIELDS } from '../../domain/upstream-fields.ts'
import { isWithheld } from '../numbers/retention.ts'

const TELLING = [
  ...EVENT_NAMES.filter((name) => eventFacts(name).tellsOfPerson),
  ...NATIVE_FIELDS.filter((field) => factsOf(field)?.tellsOfPerson),
]

/**
 * Stands for the data of an event that privacy withholds or has wiped, which is an empty text (our choice). In an event
 * of an erased lead it is what is stored, and delivered from then on ([leads.erasing.1]).
 */
export const WITHHELD = '{"redacted":true}'

/**
 * SQL that is true of events `e` that tell what a message said, or who wrote or got it: the service's events and
 * upstream's native ones.
 */
export const TELLS_OF_PERSON = `e.event in (${TELLING.map((name) => `'${name}'`).join(', ')})`

const ERASABLE = EVENT_NAMES.filter((name) => eventFacts(name).isErasable)

/** SQL that is true when `event` (SQL of an event's name) is emptied once its subject is erased. */
export function isErasable(event: string): string {
  return `${event} in (${ERASABLE.map((name) => `'${name}'`).join(', ')})`
}

/**
 * SQL that is true of events `e` whose data reads withhold by the privacy of their number `n` (left join). Our choice:
 * what a removed number told of messages is withheld, because its messages are gone too.
 */
export function isEventWithheld(now: string): string {
  return `(${TELLS_OF_PERSON} and (n.id is null or ${isWithheld('e.created_at', now)}))`
}
