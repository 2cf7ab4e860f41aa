/** [branding.logo.7]: a logo is removed this long after the last reference to it, in ms. */
export const LOGO_KEPT_MS = 30 * 24 * 3_600_000

/** Types that a logo may have, by its content, with the extension of its key ([branding.logo.2], [branding.logo.6]). */
export const LOGO_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/** [branding.logo.1]: a larger file is refused, in bytes. */
export const LOGO_BYTES = 2_097_152

/** The form of a key: it never holds a path. */
const LOGO_KEY = /^[0-9a-z]{26}\.(?:png|jpg|webp)$/

export function isLogoKey(text: string): boolean {
  return LOGO_KEY.test(text)
}

/** [branding.logo.3]: a larger image is not decoded. */
export const LOGO_SIDE_PIXELS = 4_096
export const LOGO_PIXELS = 16_000_000
/** [branding.logo.4]: the longest side that is kept, in pixels. */
export const SHOWN_SIDE_PIXELS = 1_024

/** Our choice: long enough for any name a person gave a picture. */
const NAME_LENGTH = 120

/** Strips a file's name of path, control and bidi-control characters ([branding.logo.6]). */
export function logoFileName(name: string, extension: string): string {
  const last =
    name
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
      .split(/[/\\]/)
      .at(-1) ?? ''
  const clean = [...last.trim()].slice(0, NAME_LENGTH).join('')
  return /[^.\s]/.test(clean) ? clean : `logo.${extension}`
}
