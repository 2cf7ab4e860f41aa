/** Words and rules of Pages and their forms (contract 12). Pure. */

/** Where upstream delivers what it tells of the Pages of an app. */
export function pageWebhookUrlOf(baseUrl: string, appId: string): string {
  return `${baseUrl}/webhooks/official/pages/${appId}`
}

/**
 * Whether a text can be an id of upstream's: digits. Anything else would ask upstream about something else. Our choice
 * of length: more than 64 bits need.
 */
export function isUpstreamId(text: string): boolean {
  return /^[1-9]\d{0,31}$/.test(text)
}
