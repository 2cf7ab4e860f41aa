import type { chat } from './chat/en.ts'
import type { Language, Like } from './language.ts'

export type ChatWords = Like<typeof chat>

/** The words of the inbox by language: each is a file of its own, loaded on demand. */
const CHAT_WORDS: Readonly<Record<Language, () => Promise<{ readonly chat: ChatWords }>>> = {
  en: () => import('./chat/en.ts'),
  pt: () => import('./chat/pt.ts'),
  es: () => import('./chat/es.ts'),
}

/** Loads the words of a language. */
export async function loadChatWords(language: Language): Promise<ChatWords> {
  return (await CHAT_WORDS[language]()).chat
}
