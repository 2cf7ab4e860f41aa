import type { Language, Like } from '../language.ts'
import type { people } from './en.ts'

/** The words of signing in, of invitations and of consent. */
export type PeopleWords = Like<typeof people>

/** The words of each language: a file of its own, read when it is spoken. */
const PEOPLE_WORDS: Readonly<Record<Language, () => Promise<{ readonly people: PeopleWords }>>> = {
  en: () => import('./en.ts'),
  pt: () => import('./pt.ts'),
  es: () => import('./es.ts'),
}

/** Reads the words of a language. */
export async function loadPeopleWords(language: Language): Promise<PeopleWords> {
  return (await PEOPLE_WORDS[language]()).people
}
