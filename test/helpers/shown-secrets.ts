/**
 * Secrets in text: keys, signing secrets, tokens of embeds, calls and applications. Links that a person is to open are
 * not secrets.
 */
const SECRETS =
  /\bcms_[\w-]{40,}|\bwhsec_[\w+/=]{32,}|\bemb_\w{26}\.[\w-]{43,}|[?&]token=[\w-]{43}|"(?:access|refresh)_token": ?"[^"]+"/g

/** The secrets that a text contains. */
export function shownSecrets(text: string): string[] {
  return text.match(SECRETS) ?? []
}
