import { EVENT_NAMES, type EventName } from './events.ts'
import type { EventId, NumberId, TenantId } from './ids.ts'
import type { ProviderKind } from './number.ts'

export type WebhookId = `wh_${string}`
export type DeliveryLogId = `log_${string}`

/** Upstream fields of OFFICIAL numbers that may be subscribed by name (spec: Events; contract 5 names the 23). */
export const NATIVE_FIELDS = [
  'account_review_update', 'account_settings_update', 'account_update', 'business_capability_update', 'business_status_update', 'calls', 'flows',
  'group_lifecycle_update', 'group_participants_update', 'group_settings_update', 'group_status_update', 'message_echoes',
  'message_template_components_update', 'message_template_quality_update', 'message_template_status_update', 'messages',
  'payment_configuration_update', 'phone_number_name_update', 'phone_number_quality_update', 'smb_message_echoes', 'template_category_update',
  'template_correct_category_detection', 'user_preferences',
] as const
export type NativeField = (typeof NATIVE_FIELDS)[number]

/** Upstream fields never forwarded, even to `*` (spec: Events). */
export const NEVER_FORWARDED = [
  'account_alerts', 'automatic_events', 'history', 'messaging_handovers', 'partner_solutions', 'security', 'smb_app_state_sync', 'standby', 'tracking_events',
] as const

/** What a subscription may list. */
export type SubscribedEvent = EventName | NativeField | '*'

/** Events that `*` does not cover and that must be listed by name (spec: Events; contract 5). */
const OPT_IN: readonly EventName[] = ['lead.received']

/** Events an UNOFFICIAL number cannot emit; a subscription to them is dropped from the list (contract 5). */
const OFFICIAL_ONLY: readonly EventName[] = ['message.reply', 'call.permission_updated', 'lead.received']
/** Events an OFFICIAL number cannot emit (spec: OFFICIAL numbers deliver the native envelope, never message.received). */
const UNOFFICIAL_ONLY: readonly EventName[] = ['message.received', 'message.group', 'message.newsletter', 'message.stories']

/** What the webhooks of a removed number still get: its end, and those of the calls and queued messages that ended with it (contract 3 and 4). */
export const LAST_EVENTS = ['call.ended', 'message.failed', 'number.removed'] as const satisfies readonly EventName[]

export function isSubscribable(name: string): name is SubscribedEvent {
  return name === '*' || ([...EVENT_NAMES, ...NATIVE_FIELDS] as readonly string[]).includes(name)
}

/** Whether a number of this kind can emit the event. */
export function canEmit(kind: ProviderKind, name: SubscribedEvent): boolean {
  if (name === '*') return true
  if ((NATIVE_FIELDS as readonly string[]).includes(name)) return kind === 'OFFICIAL'
  const impossible: readonly string[] = kind === 'OFFICIAL' ? UNOFFICIAL_ONLY : OFFICIAL_ONLY
  return !impossible.includes(name)
}

/**
 * Whether a subscription covers an event. `*` covers all but opt-in events; on OFFICIAL numbers
 * message.reply is opt-in too, because the native change already tells of the message.
 */
export function isSubscribed(events: readonly SubscribedEvent[], event: EventName | NativeField, kind: ProviderKind): boolean {
  if (events.includes(event)) return true
  if (!events.includes('*') || event === 'webhook.test') return false
  const isOptIn = (OPT_IN as readonly string[]).includes(event) || (event === 'message.reply' && kind === 'OFFICIAL')
  return !isOptIn
}

/** Why a webhook was switched off by the service (contract 5). */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** A webhook as stored; its secrets are kept apart. */
export interface Webhook {
  readonly id: WebhookId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly name: string | null
  readonly url: string
  readonly active: boolean
  readonly events: readonly SubscribedEvent[]
  readonly lastTriggered: Date | null
  /** `GONE`: the receiver answered 410. `FAILING`: 5 days of nothing but failures. */
  readonly disabledReason: DisabledReason | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** One attempt of a delivery (spec: Webhook delivery log item). */
export interface DeliveryLog {
  readonly id: DeliveryLogId
  readonly webhookId: WebhookId
  readonly eventId: EventId
  readonly event: EventName | NativeField
  /** 1 for the first try. */
  readonly attempt: number
  readonly status: 'SUCCESS' | 'FAILED'
  /** 0 when no answer came (our choice: the specification wants an integer). */
  readonly statusCode: number
  /** The delivered body; empty where the number's privacy mode keeps none. */
  readonly payload: string
  /** The answer's first 16 KB, or why there was none. */
  readonly response: string
  readonly durationMs: number
  readonly createdAt: Date
}
