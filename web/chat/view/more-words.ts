import { useEffect, useState } from 'preact/hooks'
import { loadMoreWords } from '../../words/chat-more-words.ts'
import type { MoreWords } from '../../words/chat-more-words.ts'
import type { Language } from '../../words/language.ts'
import { useDrawn } from './context.ts'

const loaded = new Map<Language, MoreWords>()

/** The words of menus and forms that are loaded on demand; null until they are there. */
export function useMoreWords(): MoreWords | null {
  const { language } = useDrawn()
  const [, tell] = useState(0)
  useEffect(() => {
    if (!loaded.has(language))
      void loadMoreWords(language).then((words) => {
        loaded.set(language, words)
        tell((times) => times + 1)
      })
  }, [language])
  // Those of another language stand until these are there, so that nothing goes and comes again.
  return loaded.get(language) ?? [...loaded.values()][0] ?? null
}

/** The same words, below what waited for them. Throws where they are not there yet. */
export function useSaid(): MoreWords {
  const { language } = useDrawn()
  const words = loaded.get(language) ?? [...loaded.values()][0]
  if (!words) throw new Error('drawn before its words are there')
  return words
}
