import type { SendingMessage } from './messages.ts'
import { giveUp, handOf, settle, STORE_RETRY_MS, UNSENT, waitFor } from './outcomes.ts'
import { letGo } from './places.ts'
import type { Hand, SendingState, Step } from './state.ts'
import { step, withHand } from './state.ts'

/**
 * The limit of people that an account may begin conversations with in a day (docs/decisions/0075). It is asked for
 * templates alone, because nothing else reaches a person outside the window.
 */

/** our choice: a place taken longer ago than so many ms is taken anew, so that it ends no earlier than upstream's. */
const FRESH_MS = 30_000

/** Whether the limit has to be asked before the message goes. */
export function needsCount({ rules }: SendingState, { message, content, counted }: Hand, nowMs: number): boolean {
  return (
    rules.daily !== null
    && content?.mode === 'template'
    && message.to.type === 'DIRECT'
    && (counted === null || nowMs - counted.atMs >= FRESH_MS)
  )
}

/** Asks the limit for a place. */
export function count(state: SendingState, hand: Hand): Step {
  const { daily } = state.rules
  if (daily === null) return step(state)
  const attempt = state.attempts + 1
  return step(withHand({ ...state, attempts: attempt }, { ...hand, phase: { at: 'COUNTING', attempt } }), [
    { type: 'count', attempt, message: hand.message, limit: daily },
  ])
}

/** The limit lets the message go, or holds it: then it leaves the hands, so that others take its place. */
export function counted(state: SendingState, message: SendingMessage & { type: 'Counted' }, nowMs: number): Step {
  const hand = handOf(state, message, 'COUNTING')
  if (!hand) return step(state)
  const { outcome } = message
  switch (outcome.kind) {
    case 'taken': {
      const taken = { ...hand, counted: { atMs: nowMs, place: outcome.place } }
      return state.gate === 'OPEN' ? step(waitFor(state, taken, nowMs)) : letGo(state, taken)
    }
    case 'full':
      // One in doubt keeps its doubt, which putting it off would end.
      if (hand.doubts > 0 && state.gate === 'OPEN') return step(waitFor(state, hand, nowMs + outcome.afterMs))
      if (hand.doubts > 0) return letGo(state, hand)
      return settle(state, hand, { kind: 'held', messageId: hand.message.id, afterMs: outcome.afterMs }, null)
    case 'failed':
      if (outcome.fault) return giveUp(state, hand, outcome.fault, UNSENT)
      return state.gate === 'OPEN' ? step(waitFor(state, hand, nowMs + STORE_RETRY_MS)) : letGo(state, hand)
  }
}
