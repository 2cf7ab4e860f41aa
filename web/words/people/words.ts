import type { Language, Like } from '../language.ts'
import type { people } from './en.ts'

/** The words for signing in, invitations and consent. */
export type PeopleWords = Like<typeof people>

/** The words by language: each is a file of its own, loaded on demand. */
const PEOPLE_WORDS: Readonly<Record<Language, () => Promise<{ readonly people: PeopleWords }>>> = {
  en: () => import('./en.ts'),
  pt: () => import('./pt.ts'),
  es: () => import('./es.ts'),
}

/** Loads the words of a language. */
export async function loadPeopleWords(language: Language): Promise<PeopleWords> {
  return (await PEOPLE_WORDS[language]()).people
}
