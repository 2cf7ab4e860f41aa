/** What is said of an address with a user name or password in it: it would be stored, shown and logged elsewhere. */
export const NO_CREDENTIALS = 'must not contain a user name or password'

function urlOf(text: string): URL | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null
}

/** An address on the web in the one form it is stored and shown in (WHATWG URL, `href`); any other text as it is. */
export function canonicalAddress(text: string): string {
  return urlOf(text)?.href ?? text
}

/** True of an address on the web that names a user or a password. */
export function hasCredentials(text: string): boolean {
  const url = urlOf(text)
  return url !== null && (url.username !== '' || url.password !== '')
}
