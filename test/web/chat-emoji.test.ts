import test from 'ava'
import { EMOJI, findEmoji } from '../../web/chat/view/composer/emoji.ts'

test('each emoji stands once, is one character to the eye and has words in small letters', (t) => {
  const parts = new Intl.Segmenter('en', { granularity: 'grapheme' })
  t.is(new Set(EMOJI.map(([emoji]) => emoji)).size, EMOJI.length)
  for (const [emoji, words] of EMOJI) {
    t.is([...parts.segment(emoji)].length, 1, emoji)
    t.regex(emoji, /\p{Emoji}/u, emoji)
    t.true(words.length > 0, emoji)
    for (const word of words) t.regex(word, /^[\p{Ll}\d]+$/u, `${emoji} ${word}`)
  }
})

test('emoji are found by the beginning of a word in three languages, with and without accents', (t) => {
  for (const wanted of ['heart', 'coração', 'CORACAO', 'corazón', 'corazon', ' cora'])
    t.true(findEmoji(wanted).includes('❤️'), wanted)
  t.deepEqual(findEmoji('xyz'), [])
  t.is(findEmoji('').length, EMOJI.length)
})
