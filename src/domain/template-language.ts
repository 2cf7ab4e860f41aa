const FORM = /^([a-z]{2,3})(?:[-_]([A-Z]{2}))?$/

/**
 * Writes a language in upstream's form, `pt_BR` for `pt-BR`; null when it has none of the forms `xx`, `xxx`, `xx_YY`,
 * `xxx_YY` ([templates.language.1], [templates.language.2]).
 */
export function templateLanguageOf(text: string): string | null {
  const match = FORM.exec(text)
  if (!match) return null
  const [, language = '', country] = match
  return country === undefined ? language : `${language}_${country}`
}

/**
 * True when two codes name one language, however they are written: upstream says `en-US` in events and `en_US`
 * elsewhere.
 */
export function isSameLanguage(one: string, other: string): boolean {
  return one.replaceAll('-', '_').toLowerCase() === other.replaceAll('-', '_').toLowerCase()
}
