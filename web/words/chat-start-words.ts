import type { words as english } from './chat-start/en.ts'
import type { Language, Like } from './language.ts'

export type StartWords = Like<typeof english>

/** The words of beginning a conversation by language: each is a file of its own, loaded with the dialog. */
const START_WORDS: Readonly<Record<Language, () => Promise<{ readonly words: StartWords }>>> = {
  en: () => import('./chat-start/en.ts'),
  pt: () => import('./chat-start/pt.ts'),
  es: () => import('./chat-start/es.ts'),
}

/** Loads the words of a language. */
export async function loadStartWords(language: Language): Promise<StartWords> {
  return (await START_WORDS[language]()).words
}
