/** Upstream's limit of a template's name (contract 10). */
export const TEMPLATE_NAME_LENGTH = 512

/** Our choice: so much is made a name of, in UTF-16 units; white space in a row may be long, but not without end. */
const READ_LENGTH = 8_192
const IS_NAME = /^[a-z0-9_]{1,512}$/

/**
 * A name in the one form upstream takes (contract 10): letters lose accents and case, white space, `-`, `.`, `/` and
 * `_` in a row become one `_`, none at the ends. Null when another character, nothing or too much is left.
 */
export function templateNameOf(text: string): string | null {
  if (IS_NAME.test(text)) return text
  if (text.length > READ_LENGTH) return null
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
  const name = plain
    .replaceAll(/[\s\-./_]+/g, '_')
    .replace(/^_/, '')
    .replace(/_$/, '')
  return IS_NAME.test(name) ? name : null
}
