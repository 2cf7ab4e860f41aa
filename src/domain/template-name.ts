/** Characters of a template's name at most, as upstream limits them ([templates.name.1]). */
export const TEMPLATE_NAME_LENGTH = 512

/** Our choice, in UTF-16 units: a longer text is not made into a name; it bounds how much white space is collapsed. */
const READ_LENGTH = 8_192
const IS_NAME = /^[a-z0-9_]{1,512}$/

/**
 * Makes a name in the one form that upstream takes ([templates.name.2], [templates.name.3]): letters lose accents and
 * case, white space, `-`, `.`, `/` and `_` in a row become one `_`, none at the ends. Null when another character,
 * nothing or too much is left.
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
