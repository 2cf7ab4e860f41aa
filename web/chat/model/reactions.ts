import { messageKey } from '../../../src/domain/message-key.ts'
import type { Message } from './message.ts'

/**
 * Reactions by the key of the message they are on ([identities.looking-up.3]). The last reaction of each person counts;
 * a withdrawn one is left out, and so is one that never went out.
 */
export function reactionsOf(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const byPerson = new Map<string, Message>()
  for (const message of messages) {
    const { direction, from, reaction, status } = message
    if (reaction && status !== 'FAILED' && status !== 'CANCELED')
      byPerson.set(`${messageKey(reaction.messageId)} ${direction} ${direction === 'INBOUND' ? from : ''}`, message)
  }
  const found = new Map<string, Message[]>()
  for (const message of byPerson.values()) {
    const on = message.reaction?.emoji ? messageKey(message.reaction.messageId) : null
    if (on !== null) found.set(on, [...(found.get(on) ?? []), message])
  }
  return found
}

/** The emoji of our own reaction among these; null without one. */
export function ownEmojiIn(reactions: readonly Message[]): string | null {
  return reactions.find(({ direction }) => direction === 'OUTBOUND')?.reaction?.emoji ?? null
}

/** Reactions with the same emoji, in the order in which each emoji came. */
export function byEmoji(reactions: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const found = new Map<string, Message[]>()
  for (const message of reactions) {
    const emoji = message.reaction?.emoji ?? ''
    found.set(emoji, [...(found.get(emoji) ?? []), message])
  }
  return found
}
