/** A webhook as the service answers it ([webhooks.object.2]). */
export interface Webhook {
  readonly id: string
  readonly name: string | null
  readonly url: string
  readonly active: boolean
  readonly events: readonly string[]
  readonly channelNumberIds: readonly string[]
  readonly lastTriggered: string | null
  readonly disabledReason: 'GONE' | 'FAILING' | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The part of `GET /api/overview` that tells which webhooks fail ([dashboard.overview.2]). */
export interface FailingOverview {
  readonly failing: readonly { readonly webhookId: string; readonly failed24h: number }[]
}

/** How a webhook stands: `data-status` of its row and of its page ([dashboard.webhooks.5]). */
export type WebhookStatus = 'ACTIVE' | 'FAILING' | 'PAUSED' | 'DISABLED'

/** Tells how a webhook stands; `isFailing` is whether its last delivery failed. */
export function statusOf({ active, disabledReason }: Webhook, isFailing: boolean): WebhookStatus {
  if (disabledReason !== null) return 'DISABLED'
  if (!active) return 'PAUSED'
  return isFailing ? 'FAILING' : 'ACTIVE'
}

/** The colour of each status. */
export const STATUS_TONES = { ACTIVE: 'good', FAILING: 'bad', PAUSED: 'calm', DISABLED: 'bad' } as const

/** Failed attempts of the last 24 hours of each webhook whose last delivery failed, by its id. */
export function failuresOf(overview: FailingOverview | null): ReadonlyMap<string, number> {
  return new Map(overview?.failing.map(({ webhookId, failed24h }) => [webhookId, failed24h]))
}

/**
 * Our choice, in ms: live news within this time are answered by one read. A delivery follows its event, so the read
 * comes late enough to see most of them, and within the 2 s of [dashboard.pages.4].
 */
export const SETTLED_MS = 1_500
