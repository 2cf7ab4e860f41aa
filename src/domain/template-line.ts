/** Pictures, among them characters that are text until a selector follows; not ©, ® and ™, which are text. */
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|(?![©®™])\p{Extended_Pictographic}|\uFE0F|\u20E3/u
const LINE_BREAK = /[\n\r\u2028\u2029]/
const MARKS = /[*~`]/
const OPENS_ITALIC = /(?<![\p{L}\p{N}_])_(?=[^\s_])/u
const CLOSES_ITALIC = /(?<=[^\s_])_(?![\p{L}\p{N}_])/gu

/** True for a text with `_text_` in it; a `_` inside of a word does not count. */
function isItalic(text: string): boolean {
  const opens = OPENS_ITALIC.exec(text)
  if (!opens) return false
  let last = -1
  for (const { index } of text.matchAll(CLOSES_ITALIC)) last = index
  return last > opens.index
}

/**
 * Finds what keeps a text from being one plain line, as upstream wants of a header, a footer and a label. `what` names
 * the text at the beginning of a sentence.
 */
export function lineProblems(
  text: string,
  what: string,
): { readonly problem: 'EMOJI' | 'LINE_BREAK' | 'FORMATTING'; readonly message: string }[] {
  return [
    ...(EMOJI.test(text) ? [{ problem: 'EMOJI', message: `${what} cannot have emojis` } as const] : []),
    ...(LINE_BREAK.test(text) ? [{ problem: 'LINE_BREAK', message: `${what} is one line` } as const] : []),
    ...(MARKS.test(text) || isItalic(text)
      ? [{ problem: 'FORMATTING', message: `${what} cannot have formatting: no *, ~, \` and _text_` } as const]
      : []),
  ]
}
