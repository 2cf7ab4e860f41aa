/** Words and rules of Pages and their forms (docs/contract/leads.md). Pure. */

/** The address where upstream delivers what it tells of the Pages of an app ([leads.webhook.1]). */
export function pageWebhookUrlOf(baseUrl: string, appId: string): string {
  return `${baseUrl}/webhooks/official/pages/${appId}`
}

/**
 * True when a text can be an id of upstream's: digits. Any other text in a path would ask upstream about something
 * else. Our choice of length: more digits than 64 bits need.
 */
export function isUpstreamId(text: string): boolean {
  return /^[1-9]\d{0,31}$/.test(text)
}
