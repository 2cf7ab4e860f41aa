import type { words as english } from '../../../words/dashboard/events/en.ts'
import type { Like } from '../../../words/language.ts'
import type { EventFrame } from '../../live/frames.ts'
import type { ListedNumber } from '../../ground/numbers.ts'

export type EventsWords = Like<typeof english>

/** What the events of a list have to be; null stands for any. */
export interface Wanted {
  readonly event: string | null
  readonly number: string | null
}

/** What both lists of the page get. */
export interface EventsProps {
  readonly words: EventsWords
  readonly wanted: Wanted
  readonly numbers: readonly ListedNumber[] | null
  show(event: EventFrame): void
}
