/** Characters that turn the direction of what follows them, or are not seen; joiners of emoji do neither. */
const UNSEEN = /(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** Writes characters that would hide or reorder a text as JSON escapes, which a JSON text may hold in their place. */
export function withUnseen(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/**
 * Breaks a JSON text into lines of two spaces for each level. The text of its values stays as it is, because numbers
 * may have more digits than JavaScript keeps; what is no JSON stays as it is altogether.
 */
export function inLines(text: string): string {
  if (!isJson(text)) return text
  let depth = 0
  let out = ''
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '}' || token === ']') depth -= 1
    if (token === '}' || token === ']') out += `\n${'  '.repeat(depth)}`
    out += token
    if (token === '{' || token === '[') depth += 1
    if (token === '{' || token === '[' || token === ',') out += `\n${'  '.repeat(depth)}`
    else if (token === ':') out += ' '
  }
  return out
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
