/** contract 16: a logo is removed this long after the last reference to it, in ms. */
export const LOGO_KEPT_MS = 30 * 24 * 3_600_000

/** Types a logo may have, by its content, with the extension of its key (contract 16). */
export const LOGO_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/** contract 16, in bytes. */
export const LOGO_BYTES = 2_097_152

/** What a key looks like: nothing of it is a path. */
const LOGO_KEY = /^[0-9a-z]{26}\.(?:png|jpg|webp)$/

export function isLogoKey(text: string): boolean {
  return LOGO_KEY.test(text)
}

/** contract 16: what is decoded at all. */
export const LOGO_SIDE_PIXELS = 4_096
export const LOGO_PIXELS = 16_000_000
/** contract 16: the longest side that is kept. */
export const SHOWN_SIDE_PIXELS = 1_024

/** Our choice: long enough for any name a person gave a picture. */
const NAME_LENGTH = 120

/** The name of a sent file without path, control and bidi-control characters. */
export function logoFileName(name: string, extension: string): string {
  const last =
    name
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
      .split(/[/\\]/)
      .at(-1) ?? ''
  const clean = [...last.trim()].slice(0, NAME_LENGTH).join('')
  return /[^.\s]/.test(clean) ? clean : `logo.${extension}`
}
