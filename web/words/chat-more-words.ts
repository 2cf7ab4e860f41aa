import type { words as english } from './chat-more/en.ts'
import type { Language, Like } from './language.ts'

export type MoreWords = Like<typeof english>

/** The words of menus and forms of the inbox by language: each is a file of its own, loaded with the first of them. */
const MORE_WORDS: Readonly<Record<Language, () => Promise<{ readonly words: MoreWords }>>> = {
  en: () => import('./chat-more/en.ts'),
  pt: () => import('./chat-more/pt.ts'),
  es: () => import('./chat-more/es.ts'),
}

/** Loads the words of a language. */
export async function loadMoreWords(language: Language): Promise<MoreWords> {
  return (await MORE_WORDS[language]()).words
}
