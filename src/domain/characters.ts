/** Counts Unicode code points, as every limit of a text does ([templates.body.9]; JSON Schema). */
export function codePointsOf(text: string): number {
  let count = text.length
  for (let at = 0; at + 1 < text.length; at++) {
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count--
  }
  return count
}

/** Gives the beginning of a text, at most so many code points: no character is cut. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('')
}

/**
 * Any character that leaves a mark on a screen: no white space, no control or format character, nothing that fonts
 * ignore, no empty braille.
 */
const SHOWN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text shows nothing. */
export function isBlank(text: string | undefined): boolean {
  return text === undefined || !SHOWN.test(text)
}
