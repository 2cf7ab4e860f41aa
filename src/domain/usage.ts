import type { NumberId } from './ids.ts'

/** Categories that upstream names a price by ([usage.objects.6]). */
export const PRICE_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE'] as const
export type PriceCategory = (typeof PRICE_CATEGORIES)[number]

/** What an account, a number or a day used ([usage.objects.1]). */
export interface Usage {
  readonly messages: {
    readonly inbound: number
    readonly outbound: number
    /** Both directions, by type; types without a message are left out. */
    readonly byType: Readonly<Record<string, number>>
  }
  /** Calls that have ended, and the seconds of those that were answered. */
  readonly calls: { readonly inbound: number; readonly outbound: number; readonly seconds: number }
  readonly recordings: { readonly count: number; readonly bytes: number }
  readonly deliveries: { readonly succeeded: number; readonly failed: number; readonly attempts: number }
  readonly conversations: Readonly<Record<PriceCategory, number>>
}

/** What one number used of one kind on one day (UTC). */
export interface Tally {
  readonly numberId: NumberId
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** The kind, in words joined by dots: `messages.inbound.text`, `calls.seconds`. */
  readonly metric: string
  readonly amount: number
}

/** Adds tallies up. Metrics that this version does not know change nothing. */
export function usageOf(tallies: readonly Pick<Tally, 'metric' | 'amount'>[]): Usage {
  const sums = new Map<string, number>()
  const byType = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, amount: number) => to.set(name, (to.get(name) ?? 0) + amount)
  for (const { metric, amount } of tallies) {
    const [group, kind, type] = metric.split('.')
    add(sums, `${group}.${kind}`, amount)
    if (group === 'messages' && type !== undefined) add(byType, type, amount)
  }
  const of = (name: string) => sums.get(name) ?? 0
  return {
    messages: {
      inbound: of('messages.inbound'),
      outbound: of('messages.outbound'),
      byType: Object.fromEntries([...byType].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
    calls: { inbound: of('calls.inbound'), outbound: of('calls.outbound'), seconds: of('calls.seconds') },
    recordings: { count: of('recordings.count'), bytes: of('recordings.bytes') },
    deliveries: {
      succeeded: of('deliveries.succeeded'),
      failed: of('deliveries.failed'),
      attempts: of('deliveries.attempts'),
    },
    conversations: {
      MARKETING: of('conversations.MARKETING'),
      UTILITY: of('conversations.UTILITY'),
      AUTHENTICATION: of('conversations.AUTHENTICATION'),
      SERVICE: of('conversations.SERVICE'),
    },
  }
}
