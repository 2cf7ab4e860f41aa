import type { ConversationId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'

/** A message that may begin a conversation. */
export interface ReachAsk {
  readonly tenantId: TenantId
  readonly accountId: string
  readonly numberId: NumberId
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  /** The person's address; kept as a keyed digest only. */
  readonly address: string
  /** How many people the account may reach within `COUNTED_MS`. */
  readonly perDay: number
}

/** What came of asking for a place. */
export type ReachResult =
  /** The person wrote lately: nobody counts the message. */
  | { readonly kind: 'open' }
  /** The person counts from `at` on. */
  | { readonly kind: 'counted'; readonly at: Date }
  /** As many people are reached as may be; the first of them is over at `until`. */
  | { readonly kind: 'full'; readonly until: Date }

/** A place that was taken for a message. */
export interface TakenPlace extends Pick<ReachAsk, 'tenantId' | 'accountId' | 'messageId' | 'address'> {
  readonly at: Date
}

/**
 * The people whom accounts of the official platform reached lately outside their windows. All numbers of an account of
 * a tenant share its limit, on all nodes.
 */
export interface ReachStore {
  /**
   * Takes a place for a person, unless the person counts already: then the time moves on. Two that ask at once never
   * exceed the limit. Asks for one account share statements.
   */
  take(ask: ReachAsk): Promise<ReachResult>
  /**
   * Gives a place back whose message was not sent. Does nothing when the person counted before the message, or was
   * counted anew since.
   */
  giveBack(place: TakenPlace): Promise<void>
  /** How many people count now, and when the first of them is over; null without any. */
  counted(tenantId: TenantId, accountId: string): Promise<{ readonly used: number; readonly resetsAt: Date | null }>
  /** Deletes people that no longer count; gives their number. */
  purge(): Promise<number>
}
