import test from 'ava'
import { loadMoreWords } from '../../web/words/chat-more-words.ts'
import { loadChatWords } from '../../web/words/chat-words.ts'
import { LANGUAGES } from '../../web/words/language.ts'
import type { Language } from '../../web/words/language.ts'

/** Every text below `words`, by its path. A text with parameters gets sample values. */
function textsIn(words: unknown, path = ''): [string, unknown][] {
  if (typeof words === 'function') return [[path, (words as (...filled: string[]) => unknown)('2', '3', '4')]]
  if (typeof words !== 'object' || words === null) return [[path, words]]
  return Object.entries(words).flatMap(([key, below]) => textsIn(below, `${path}/${key}`))
}

// [inbox.features.5]
test('the inbox has a text for all it says in every language', async (t) => {
  t.deepEqual(LANGUAGES, ['en', 'pt', 'es'])
  const all = async (language: Language) => textsIn([await loadChatWords(language), await loadMoreWords(language)])
  const english = new Map(await all('en'))
  t.true(english.size > 100)
  for (const language of LANGUAGES) {
    const texts = await all(language)
    t.deepEqual(texts.map(([path]) => path).toSorted(), [...english.keys()].toSorted(), language)
    for (const [path, text] of texts) t.true(typeof text === 'string' && text.trim() !== '', `${language} ${path}`)
    // A sentence of several words that is equal in two languages was not translated.
    const same = texts.filter(([path, text]) => / \w+ /.test(String(text)) && text === english.get(path))
    t.deepEqual(language === 'en' ? [] : same, [], language)
  }
})
