import type { words as english } from '../../../words/dashboard/ads/en.ts'
import type { Like } from '../../../words/language.ts'

export type AdsWords = Like<typeof english>

/** What an ad or a post brought ([referrals.summary.1]). */
export interface Ad {
  readonly sourceId: string
  readonly sourceType: 'ad' | 'post' | null
  readonly conversations: number
  readonly messages: number
  readonly lastSourceUrl: string | null
  readonly lastHeadline: string | null
  readonly lastMessageAt: string
  readonly adName: string | null
  readonly adsetName: string | null
  readonly campaignName: string | null
  /** Null: names may still come. */
  readonly namesResolvedAt: string | null
}

/** The first message that somebody wrote from an ad ([referrals.objects.1]). */
export interface Referral {
  readonly id: string
  readonly conversationId: string
  readonly content: string | null
  /** Absent when it is redacted, as `fromName`. */
  readonly from?: string | null
  readonly fromName?: string | null
  readonly redacted: boolean
  readonly createdAt: string
}

export function nameOf({ adName, lastHeadline, sourceId }: Ad): string {
  return adName ?? lastHeadline ?? sourceId
}

/** The cells of an ad in a file: id, name, campaign, ad set, headline, conversations, times, time of the last. */
export function cellsOf(ad: Ad): readonly string[] {
  const { sourceId, adName, campaignName, adsetName, lastHeadline, conversations, messages, lastMessageAt } = ad
  const names = [adName, campaignName, adsetName, lastHeadline].map((name) => name ?? '')
  return [sourceId, ...names, String(conversations), String(messages), lastMessageAt]
}

/** Whether an event may bring what a conversation began with; the network tells of it with the message. */
export function mayRefer({ event, data }: { readonly event: string; readonly data: unknown }): boolean {
  return event === 'messages' && JSON.stringify(data).includes('"referral"')
}
