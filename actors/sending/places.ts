import type { TakenPlace } from '../../src/ports/stores/reach-store.ts'
import type { Hand, SendingEffect, SendingState, Step } from './state.ts'
import { step, withoutHand } from './state.ts'

/*
 * Places that were taken of the limit a day (daily.ts), for messages that were not sent.
 */

/** What is given back of a message that was certainly not sent; nothing of one that may have been. */
export function placeOf({ counted, doubts }: Pick<Hand, 'counted' | 'doubts'>): TakenPlace | null {
  return doubts === 0 ? (counted?.place ?? null) : null
}

/** The effect that gives the place of a message back; none when it has none. */
export function givingBack(hand: Pick<Hand, 'counted' | 'doubts'>): SendingEffect[] {
  const place = placeOf(hand)
  return place === null ? [] : [{ type: 'giveBack', place }]
}

/** Lets a conversation go whose message was not sent. */
export function letGo(state: SendingState, hand: Hand): Step {
  return step(withoutHand(state, hand.message.conversationId), givingBack(hand))
}
