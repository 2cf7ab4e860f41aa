import { eventFacts, isEventName, type EventName } from './events.ts'
import type { EventId, NumberId, TenantId } from './ids.ts'
import { kindOf } from './kinds/kinds.ts'
import type { ProviderKind } from './number.ts'
import { isNative, type NativeField } from './upstream-fields.ts'

export type WebhookId = `wh_${string}`
export type DeliveryLogId = `log_${string}`

/** What a subscription may list. */
export type SubscribedEvent = EventName | NativeField | '*'

export function isSubscribable(name: string): name is SubscribedEvent {
  return name === '*' || isEventName(name) || isNative(name)
}

/** True when a number of this kind can emit the event. */
export function canEmit(provider: ProviderKind, name: SubscribedEvent): boolean {
  if (name === '*') return true
  const needs = isEventName(name) ? eventFacts(name).needs : 'nativeEvents'
  return needs === null || kindOf({ provider }).can[needs]
}

/** True when a subscription covers an event: it lists it by name, or has `*`, which does not cover opt-in events. */
export function isSubscribed(
  events: readonly SubscribedEvent[],
  event: EventName | NativeField,
  provider: ProviderKind,
): boolean {
  if (events.includes(event)) return true
  return events.includes('*') && !(isEventName(event) && isOptIn(eventFacts(event), provider))
}

function isOptIn({ optIn }: ReturnType<typeof eventFacts>, provider: ProviderKind): boolean {
  return typeof optIn === 'boolean' ? optIn : kindOf({ provider }).can[optIn]
}

/** Why the service switched a webhook off ([webhooks.retries.4], [webhooks.retries.5]). */
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

/** One attempt of a delivery; the API shows it as [webhooks.logs.2] says. */
export interface DeliveryLog {
  readonly id: DeliveryLogId
  readonly webhookId: WebhookId
  readonly eventId: EventId
  readonly event: EventName | NativeField
  /** 1 for the first try. */
  readonly attempt: number
  readonly status: 'SUCCESS' | 'FAILED'
  /** 0 when no answer came (our choice, since clients expect an integer). */
  readonly statusCode: number
  /** The delivered body; empty where the number's privacy mode keeps none. */
  readonly payload: string
  /** The answer's first 16 KB, or why there was none. */
  readonly response: string
  readonly durationMs: number
  readonly createdAt: Date
}

/** An attempt as it is stored: `payload` is null when it is the body that its event makes (envelope.ts). */
export type StoredLog = Omit<DeliveryLog, 'payload'> & { readonly payload: string | null }
