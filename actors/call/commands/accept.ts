import { fail } from '../../../src/domain/errors.ts'
import { end } from '../ending.ts'
import { callEvent } from '../event-data.ts'
import type { CallMessage } from '../messages.ts'
import type { CallEffect, CallState, Step, WaitingAsk } from '../state.ts'
import { askersOf, liveStatusOf, step } from '../state.ts'
import { beginWrite, invalidState } from '../writing.ts'

/** Accepts an inbound ringing call; a second accept waits for the same answer. */
export function accept(state: CallState, askId: number | null): Step {
  const { phase } = state
  const askers = askId === null ? [] : [askId]
  if (phase.at === 'ACCEPTING') return step({ ...state, phase: { ...phase, askers: [...phase.askers, ...askers] } })
  if (phase.at !== 'INCOMING') {
    return step(state, [], askers.map((id) => ({ askId: id, outcome: fail(invalidState('Only an inbound ringing call can be accepted')) })))
  }
  const attempt = state.attempts + 1
  const { externalCallId, sdpOffer } = phase
  return step(
    { ...state, attempts: attempt, phase: { at: 'ACCEPTING', stage: 'media', attempt, askers, externalCallId, sdpOffer } },
    [{ type: 'mediaAnswer', attempt, externalCallId, sdpOffer }],
  )
}

/** The media host answered the offer. our choice: when it refuses, the call keeps ringing and may be accepted again. */
export function mediaAnswered(state: CallState, message: CallMessage & { type: 'MediaAnswered' }): Step {
  const { phase } = state
  if (phase.at !== 'ACCEPTING' || phase.stage !== 'media' || phase.attempt !== message.attempt) return step(state)
  const { outcome } = message
  const { externalCallId, sdpOffer } = phase
  if (!outcome.ok) {
    return step(
      { ...state, phase: { at: 'INCOMING', externalCallId, sdpOffer } },
      [{ type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs }],
      phase.askers.map((askId) => ({ askId, outcome: fail(outcome.error) })),
    )
  }
  const attempt = state.attempts + 1
  return step(
    { ...state, attempts: attempt, phase: { ...phase, stage: 'provider', attempt } },
    [{ type: 'accept', attempt, externalCallId, sdp: outcome.value.sdp }],
  )
}

/** The provider took the answer, or did not: then whether the peer hears us is unknown, so the call is ended. */
export function acceptedUpstream(state: CallState, message: CallMessage & { type: 'AcceptedUpstream' }, nowMs: number): Step {
  const { phase } = state
  if (phase.at !== 'ACCEPTING' || phase.attempt !== message.attempt) return step(state)
  if (!message.outcome.ok) {
    return end(state, {
      status: 'FAILED', errorCode: 'PROVIDER_FAILED', failAskersWith: message.outcome.error,
    }, nowMs)
  }
  return connect(state, { externalCallId: phase.externalCallId, connectAttempt: null, asks: askersOf(phase), alongside: [], effects: [] }, nowMs)
}

interface Connection {
  readonly externalCallId: string
  readonly connectAttempt: number | null
  readonly asks: readonly WaitingAsk[]
  /** Started beside the store. */
  readonly alongside: readonly CallEffect[]
  /** Done once stored. */
  readonly effects: readonly CallEffect[]
}

/** Stores ACCEPTED with call.connected; either direction. */
export function connect(state: CallState, connection: Connection, nowMs: number): Step {
  const from = liveStatusOf(state.phase)
  if (from === null) return step(state)
  const { externalCallId, connectAttempt } = connection
  const connectedAt = new Date(nowMs)
  const event = callEvent('call.connected', state.facts, {
    status: 'ACCEPTED', externalCallId, connectedAt, endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null,
  }, nowMs)
  return beginWrite(state, {
    kind: 'move',
    next: { at: 'ACCEPTED', externalCallId, connectedAt, connectAttempt },
    asks: connection.asks,
    effects: [
      { type: 'cancelTimers' },
      { type: 'startTimer', timer: 'media', delayMs: state.times.mediaMs },
      { type: 'mediaStatus', status: 'ACCEPTED', externalCallId },
      ...connection.effects,
    ],
  }, (attempt) => ({ type: 'move', attempt, move: { callId: state.facts.id, from: [from], to: 'ACCEPTED', patch: { connectedAt }, events: [event] } }), connection.alongside)
}
