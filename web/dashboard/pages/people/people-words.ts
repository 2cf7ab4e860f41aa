import type { words as english } from '../../../words/dashboard/people/en.ts'
import type { Like } from '../../../words/language.ts'

/** The words of people, apps and sessions. */
export type PeopleWords = Like<typeof english>
