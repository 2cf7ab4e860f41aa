/** How much of a text is shown, and how large. Pure. */

/** Our choice: how much of a text phones show before "Read more", in code points and lines. */
const SHOWN = 768
const SHOWN_LINES = 24
/** Our choice, in code points: how far back a word boundary is searched for. */
const WORD = 40
/** Our choice: up to this many emoji alone are drawn large, as phones do. */
const LARGE = 3

/**
 * The beginning of a long text; null when the whole text is shown. A text that exceeds the limit by little is shown
 * whole.
 */
export function beginningOf(text: string): string | null {
  const lines = text.split('\n')
  const letters = Array.from(lines.slice(0, SHOWN_LINES).join('\n'))
  if (letters.length <= SHOWN + WORD) return lines.length > SHOWN_LINES ? letters.join('') : null
  const cut = letters.slice(0, SHOWN).join('')
  const space = cut.search(/\s\S*$/)
  return space > cut.length - WORD ? cut.slice(0, space) : cut
}

/** Whether a text consists of a few emoji only. */
export function isLarge(text: string): boolean {
  if (text.length > 80) return false
  const parts = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  ).filter((segment) => segment.trim() !== '')
  return parts.length > 0 && parts.length <= LARGE && parts.every(isEmoji)
}

/** Signs that are emoji only by presentation, such as trademarks and keycaps, count as text. */
function isEmoji(letter: string): boolean {
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/u.test(letter) && !/[©®™]/.test(letter)
}
