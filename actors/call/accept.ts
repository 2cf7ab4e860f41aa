import type { NewEvent } from '../../src/domain/events.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { Refusal } from '../../src/domain/errors.ts'
import { end } from './ending.ts'
import { callEvent } from './event-data.ts'
import { hasOwnLeg } from './leg.ts'
import type { CallMessage } from './messages.ts'
import type { CallEffect, CallFacts, CallPhase, CallState, Step, WaitingAsk } from './state.ts'
import { askersOf, isLeftByBot, liveStatusOf, step } from './state.ts'
import { beginWrite, invalidState } from './writing.ts'

/**
 * Accepts an inbound ringing call; a second accept waits for the same answer. `sdp` is the tenant's answer, for a leg
 * that the tenant holds itself.
 */
export function accept(state: CallState, askId: number | null, sdp: string | null): Step {
  const { phase } = state
  const askers = askId === null ? [] : [askId]
  if (phase.at === 'ACCEPTING') return step({ ...state, phase: { ...phase, askers: [...phase.askers, ...askers] } })
  if (phase.at !== 'INCOMING') {
    return step(
      state,
      [],
      askers.map((id) => ({ askId: id, outcome: fail(invalidState('Only an inbound ringing call can be accepted')) })),
    )
  }
  const attempt = state.attempts + 1
  const { externalCallId, sdpOffer } = phase
  if (!hasOwnLeg(state.facts)) {
    const answer = sdp ?? state.sdpAnswer
    if (answer === null)
      return step(
        state,
        [],
        askers.map((id) => ({ askId: id, outcome: fail(refuse('INVALID_SDP', 'Send the SDP answer of the call')) })),
      )
    return step(
      {
        ...state,
        attempts: attempt,
        phase: { at: 'ACCEPTING', stage: 'provider', attempt, askers, externalCallId, sdpOffer, sdpAnswer: answer },
      },
      [{ type: 'accept', attempt, externalCallId, sdp: answer }],
    )
  }
  return step(
    {
      ...state,
      attempts: attempt,
      phase: { at: 'ACCEPTING', stage: 'media', attempt, askers, externalCallId, sdpOffer, sdpAnswer: null },
    },
    [{ type: 'mediaAnswer', attempt, externalCallId, sdpOffer }],
  )
}

/** The media host answered the offer. our choice: when it refuses, the call keeps ringing and may be accepted again. */
export function mediaAnswered(state: CallState, message: CallMessage & { type: 'MediaAnswered' }): Step {
  const { phase } = state
  if (phase.at !== 'ACCEPTING' || phase.stage !== 'media' || phase.attempt !== message.attempt) return step(state)
  const { outcome } = message
  const { externalCallId } = phase
  if (!outcome.ok) return ringOn(state, phase, outcome.error)
  const attempt = state.attempts + 1
  return step(
    {
      ...state,
      attempts: attempt,
      mediaHost: outcome.value.host ?? null,
      phase: { ...phase, stage: 'provider', attempt },
    },
    [{ type: 'accept', attempt, externalCallId, sdp: outcome.value.sdp }],
  )
}

function ringOn(state: CallState, phase: CallPhase & { at: 'ACCEPTING' }, refusal: Refusal): Step {
  const { externalCallId, sdpOffer, askers } = phase
  return step(
    { ...state, phase: { at: 'INCOMING', externalCallId, sdpOffer } },
    [{ type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs }],
    askers.map((askId) => ({ askId, outcome: fail(refusal) })),
  )
}

/**
 * The provider took the answer, or refused it. After a refusal nobody knows whether the peer hears us, so the call is
 * ended. our choice: a call whose leg the tenant holds rings on, because a better SDP may still come in time and
 * upstream tells of its end. A call that upstream cannot accept at all rings on too, because it can still be declined.
 */
export function acceptedUpstream(
  state: CallState,
  message: CallMessage & { type: 'AcceptedUpstream' },
  nowMs: number,
): Step {
  const { phase } = state
  if (phase.at !== 'ACCEPTING' || phase.attempt !== message.attempt) return step(state)
  if (!message.outcome.ok) {
    if (!hasOwnLeg(state.facts) || message.outcome.error.code === 'FEATURE_NOT_SUPPORTED')
      return ringOn(state, phase, message.outcome.error)
    return end(
      state,
      {
        status: 'FAILED',
        errorCode: 'PROVIDER_FAILED',
        failAskersWith: message.outcome.error,
      },
      nowMs,
    )
  }
  const connected = connect(
    { ...state, sdpAnswer: phase.sdpAnswer },
    {
      externalCallId: phase.externalCallId,
      connectAttempt: null,
      at: null,
      asks: askersOf(phase),
      alongside: [],
      effects: [],
    },
    nowMs,
  )
  if (!isLeftByBot(state)) return connected
  // Nobody is there any more for whom the call was answered.
  const stash = [...connected.state.stash, { type: 'Terminate', askId: null } as const]
  return { ...connected, state: { ...connected.state, stash } }
}

interface Connection {
  readonly externalCallId: string
  readonly connectAttempt: number | null
  /** When the peer answered, by the provider's clock; null for now. */
  readonly at: Date | null
  readonly asks: readonly WaitingAsk[]
  /** Effects that start beside the store. */
  readonly alongside: readonly CallEffect[]
  /** Effects that follow once the move is stored. */
  readonly effects: readonly CallEffect[]
}

/** Stores ACCEPTED with call.connected, in either direction. */
export function connect(state: CallState, connection: Connection, nowMs: number): Step {
  const from = liveStatusOf(state.phase)
  if (from === null) return step(state)
  const { externalCallId, connectAttempt } = connection
  const connectedAt = connection.at ?? new Date(nowMs)
  const patch = {
    connectedAt,
    ...(state.sdpAnswer === null ? {} : { sdpAnswer: state.sdpAnswer }),
    ...(state.mediaHost === null ? {} : { mediaHost: state.mediaHost }),
    ...(state.record ? { recording: 'ASKED' as const } : {}),
  }
  const event = connectedEvent(state.facts, externalCallId, connectedAt, nowMs)
  return beginWrite(
    state,
    {
      kind: 'move',
      next: { at: 'ACCEPTED', externalCallId, connectedAt, connectAttempt },
      asks: connection.asks,
      effects: [
        { type: 'cancelTimers' },
        hasOwnLeg(state.facts)
          ? { type: 'startTimer', timer: 'media', delayMs: state.times.mediaMs }
          : { type: 'startTimer', timer: 'silence', delayMs: state.times.silenceMs },
        { type: 'mediaStatus', status: 'ACCEPTED', externalCallId },
        ...connection.effects,
      ],
    },
    (attempt) => ({
      type: 'move',
      attempt,
      move: { callId: state.facts.id, from: [from], to: 'ACCEPTED', patch, events: [event] },
    }),
    connection.alongside,
  )
}

function connectedEvent(facts: CallFacts, externalCallId: string, connectedAt: Date, nowMs: number): NewEvent {
  const open = { endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null }
  return callEvent('call.connected', facts, { status: 'ACCEPTED', externalCallId, connectedAt, ...open }, nowMs)
}
