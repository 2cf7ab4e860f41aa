import type { Message, Referral } from './message.ts'

/** Types of messages whose files a person shares. */
const SHARED: ReadonlySet<string> = new Set(['image', 'video', 'document'])

/** What the messages that were read tell about the person: the files of the conversation, newest first. */
export function sharedIn(messages: readonly Message[]): readonly Message[] {
  return messages
    .filter(({ type, media, revokedAt }) => SHARED.has(type) && media !== null && revokedAt === null)
    .toReversed()
}

/** The first ad or post that a message names; null when none of those that were read does. */
export function originIn(messages: readonly Message[]): Referral | null {
  return messages.find(({ referral }) => referral)?.referral ?? null
}

/** What an ad or post is called; null when nothing of it is known. */
export function nameOfOrigin({ adName, headline, campaignName, sourceId }: Referral): string | null {
  return adName ?? headline ?? campaignName ?? sourceId
}
