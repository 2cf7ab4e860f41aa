const FORM = /^([a-z]{2,3})(?:[-_]([A-Z]{2}))?$/

/**
 * A language in upstream's form, `pt_BR` for `pt-BR`; null when it has none of the forms `xx`, `xxx`, `xx_YY`, `xxx_YY`
 * (contract 10).
 */
export function templateLanguageOf(text: string): string | null {
  const match = FORM.exec(text)
  if (!match) return null
  const [, language = '', country] = match
  return country === undefined ? language : `${language}_${country}`
}

/**
 * Whether two codes are one language, however they are written: upstream says `en-US` in events and `en_US` elsewhere.
 */
export function isSameLanguage(one: string, other: string): boolean {
  return one.replaceAll('-', '_').toLowerCase() === other.replaceAll('-', '_').toLowerCase()
}
