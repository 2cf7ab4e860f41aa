/**
 * What opens something as it is written: keys, signing secrets, tokens of embeds, calls and applications. Links that a
 * person is to open are no such thing.
 */
const SECRETS =
  /\bcms_[\w-]{40,}|\bwhsec_[\w+/=]{32,}|\bemb_\w{26}\.[\w-]{43,}|[?&]token=[\w-]{43}|"(?:access|refresh)_token": ?"[^"]+"/g

/** The secrets that a text shows. */
export function shownSecrets(text: string): string[] {
  return text.match(SECRETS) ?? []
}
