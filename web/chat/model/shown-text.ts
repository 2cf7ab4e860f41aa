/** How much of a text shows, and how large. Pure. */

/** Our choice: what phones show of a text before "Read more", in code points and lines. */
const SHOWN = 768
const SHOWN_LINES = 24
/** Our choice: as far back a word is looked for to end with. */
const WORD = 40
/** Our choice: so many emoji alone show large, as on phones. */
const LARGE = 3

/** The beginning of a long text; null where all of it shows. A little more than that is no reason to hide it. */
export function beginningOf(text: string): string | null {
  const lines = text.split('\n')
  const letters = Array.from(lines.slice(0, SHOWN_LINES).join('\n'))
  if (letters.length <= SHOWN + WORD) return lines.length > SHOWN_LINES ? letters.join('') : null
  const cut = letters.slice(0, SHOWN).join('')
  const space = cut.search(/\s\S*$/)
  return space > cut.length - WORD ? cut.slice(0, space) : cut
}

/** Whether a text is a few emoji and nothing else. */
export function isLarge(text: string): boolean {
  if (text.length > 80) return false
  const parts = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  ).filter((segment) => segment.trim() !== '')
  return parts.length > 0 && parts.length <= LARGE && parts.every(isEmoji)
}

/** Signs that are emoji only by their presentation, as of trademarks and keys, are texts. */
function isEmoji(letter: string): boolean {
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/u.test(letter) && !/[©®™]/.test(letter)
}
