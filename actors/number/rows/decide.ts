import type { EventName } from '../../../src/domain/events.ts'
import type { ConnectionPatch } from '../../../src/ports/stores/number-store.ts'
import type { NumberEffect, ReadyNumber, Reply, Step } from '../state.ts'
import { step, stopWith } from '../state.ts'
import type { SaveOutcome } from './messages.ts'

interface Save {
  readonly patch: ConnectionPatch
  readonly announce?: EventName | null
  readonly seq?: number | null
  readonly next?: Partial<ReadyNumber>
  readonly effects?: readonly NumberEffect[]
  readonly replies?: readonly Reply[]
}

/** Starts a save; until its outcome comes, everything else waits in the stash. */
export function beginSave(state: ReadyNumber, save: Save, alongside: readonly NumberEffect[] = []): Step<ReadyNumber> {
  const attempt = state.attempts + 1
  const { patch, announce = null, seq = null, next = {}, effects = [], replies = [] } = save
  const {
    state: connection = state.number.state,
    pairingReason = state.number.pairingReason,
    engine = state.number.engine ?? null,
    sessionHealth = state.number.sessionHealth ?? null,
  } = patch
  const number = { ...state.number, state: connection, pairingReason, engine, sessionHealth }
  return step({ ...state, attempts: attempt, write: { attempt, next: { number, ...next }, effects, replies } }, [
    { type: 'save', attempt, patch, seq, announce: announce === null ? null : { event: announce, number } },
    ...alongside,
  ])
}

/**
 * Handles the outcome of a save: it is stored and its effects follow, the number is not ours, or its store does not
 * answer.
 */
export function saved(state: ReadyNumber, attempt: number, outcome: SaveOutcome): Step {
  const { write } = state
  if (!write || write.attempt !== attempt) return step(state)
  switch (outcome) {
    case 'applied':
      return step({ ...state, ...write.next, write: null }, write.effects, write.replies)
    case 'fenced':
      return stopWith(state, 'fenced', [{ type: 'endCalls', how: 'fence' }])
    case 'failed':
      return stopWith(state, 'crashed', [{ type: 'endCalls', how: 'INTERNAL_ERROR' }])
  }
}
