/** The fault of an address with a user name or password in it: such an address would be stored, shown and logged. */
export const NO_CREDENTIALS = 'must not contain a user name or password'

function urlOf(text: string): URL | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null
}

/** Writes an address on the web in the one form that is stored and shown (WHATWG URL, `href`); other texts stay. */
export function canonicalAddress(text: string): string {
  return urlOf(text)?.href ?? text
}

/** True for an address on the web that holds a user name or a password. */
export function hasCredentials(text: string): boolean {
  const url = urlOf(text)
  return url !== null && (url.username !== '' || url.password !== '')
}
