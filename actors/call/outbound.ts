import type { Refusal } from '../../src/domain/errors.ts'
import { connect } from './accept.ts'
import { activeOffer } from '../../src/domain/sdp/voice-text.ts'
import { isCarried, isOfPlatform } from './leg.ts'
import type { CallMessage } from './messages.ts'
import type { CallState, Step } from './state.ts'
import { askersOf, externalIdOf, step } from './state.ts'
import { beginWrite } from './writing.ts'

/**
 * Stores the row first, so that a crash leaves a row to close and never an orphan upstream. The tenant's offer goes
 * straight to the provider; without one the media host makes the offer.
 */
export function startOutbound(state: CallState, message: CallMessage & { type: 'StartOutbound' }): Step {
  const { facts } = state
  const attempt = state.attempts + 1
  const media = isOfPlatform(state) ? (message.media ?? 'own') : null
  const isOurs = isCarried({ provider: facts.provider, media })
  const started = { ...state, attempts: attempt, media, record: isOurs && (message.record ?? false) }
  const sdpOffer = isOurs ? null : (message.sdp ?? '')
  const call = {
    ...rowFacts(started),
    media,
    externalCallId: null,
    status: 'INITIATED',
    startedAt: facts.startedAt,
    sdpOffer,
    sdpAnswer: null,
  } as const
  return beginWrite(
    started,
    {
      kind: 'insert',
      next:
        sdpOffer === null
          ? { at: 'OPENING', starter: message.askId, attempt }
          : { at: 'OFFERING', starter: message.askId, attempt, sdpOffer: null },
      asks: [],
      effects: [sdpOffer === null ? { type: 'mediaOffer', attempt } : { type: 'offer', attempt, sdp: sdpOffer }],
    },
    (write) => ({ type: 'insert', attempt: write, call, events: [] }),
  )
}

/** The columns of the row that the facts hold, and whether the call is recorded. */
export function rowFacts({ facts, record }: CallState) {
  const { id, tenantId, numberId, provider, direction, peerNumber, fromNumber, conversationId, bizOpaqueCallbackData } =
    facts
  const recording = record ? ('ASKED' as const) : null
  const of = { id, tenantId, numberId, provider, direction, peerNumber, fromNumber, conversationId }
  return { ...of, bizOpaqueCallbackData, recording }
}

export function mediaOffered(state: CallState, message: CallMessage & { type: 'MediaOffered' }): Step {
  const { phase } = state
  if (phase.at !== 'OPENING' || phase.attempt !== message.attempt) return step(state)
  if (!message.outcome.ok) return refused(state, message.outcome.error)
  const attempt = state.attempts + 1
  const { sdp: made, host: mediaHost = null } = message.outcome.value
  const sdp = isOfPlatform(state) ? activeOffer(made) : made
  return step(
    {
      ...state,
      attempts: attempt,
      mediaHost,
      phase: { at: 'OFFERING', starter: phase.starter, attempt, sdpOffer: isOfPlatform(state) ? sdp : null },
    },
    [{ type: 'offer', attempt, sdp }],
  )
}

/**
 * The provider took the call: INITIATED is announced once its id is stored. An offer that nobody waits for is hung up.
 */
export function offered(state: CallState, message: CallMessage & { type: 'Offered' }): Step {
  const { phase } = state
  const { outcome } = message
  if (phase.at !== 'OFFERING' || phase.attempt !== message.attempt) return step(state, lateOffer(state, message))
  if (!outcome.ok) return refused(state, outcome.error)
  const { externalCallId } = outcome.value
  const initiated = { at: 'INITIATED', externalCallId } as const
  return beginWrite(
    { ...state, phase: initiated },
    {
      kind: 'externalId',
      next: initiated,
      asks: askersOf(phase),
      effects: [
        { type: 'mediaStatus', status: 'INITIATED', externalCallId },
        isOfPlatform(state)
          ? { type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs }
          : { type: 'startTimer', timer: 'unringing', delayMs: state.times.unringingMs },
      ],
    },
    (attempt) => ({
      type: 'saveExternalId',
      attempt,
      externalCallId,
      mediaHost: state.mediaHost,
      sdpOffer: phase.sdpOffer,
    }),
  )
}

export function lateOffer(state: CallState, message: CallMessage & { type: 'Offered' }) {
  if (!message.outcome.ok || message.outcome.value.externalCallId === externalIdOf(state.phase)) return []
  return [{ type: 'terminate', externalCallId: message.outcome.value.externalCallId } as const]
}

/** The provider refused, so nothing started: the row is deleted and the caller gets the error ([calls.states.9]). */
function refused(state: CallState, refusal: Refusal): Step {
  return beginWrite(
    state,
    {
      kind: 'remove',
      next: { at: 'GONE', refusal, isOurs: true },
      asks: askersOf(state.phase),
      effects: [
        { type: 'cancelTimers' },
        { type: 'mediaClose', status: 'FAILED', reason: refusal.code },
        { type: 'stop', isStored: true },
      ],
    },
    (attempt) => ({ type: 'remove', attempt }),
  )
}

/** The peer's phone rings. That is no event: call.ringing is for inbound calls ([calls.states.2] [calls.states.3]). */
export function peerRinging(state: CallState, message: CallMessage & { type: 'ProviderRinging' }): Step {
  const { phase } = state
  if (phase.at !== 'INITIATED') return step(state, [{ type: 'settle', seq: message.seq }])
  const { externalCallId } = phase
  return beginWrite(
    state,
    {
      kind: 'move',
      next: { at: 'RINGING', externalCallId },
      asks: [],
      effects: [
        { type: 'cancelTimers' },
        { type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs },
        { type: 'mediaStatus', status: 'RINGING' },
        { type: 'settle', seq: message.seq },
      ],
    },
    (attempt) => ({
      type: 'move',
      attempt,
      move: { callId: state.facts.id, from: ['INITIATED'], to: 'RINGING', patch: {}, events: [] },
    }),
  )
}

/** The peer answered: the leg gets the answer while ACCEPTED is being stored. */
export function peerAnswered(
  state: CallState,
  message: CallMessage & { type: 'ProviderAnswered' },
  nowMs: number,
): Step {
  const { phase } = state
  const attempt = state.attempts + 1
  if (phase.at !== 'INITIATED' && phase.at !== 'RINGING') {
    const settle = { type: 'settle', seq: message.seq } as const
    // The previous owner stored the answer, and may have died before it handed it to the leg.
    if (!state.isResumed || phase.at !== 'ACCEPTED' || message.sdp === null) return step(state, [settle])
    return step({ ...state, attempts: attempt, connecting: attempt }, [
      { type: 'mediaConnect', attempt, sdpAnswer: message.sdp },
      settle,
    ])
  }
  return connect(
    { ...state, attempts: attempt, connecting: message.sdp === null ? state.connecting : attempt },
    {
      externalCallId: phase.externalCallId,
      at: message.at ?? null,
      asks: [],
      alongside: message.sdp === null ? [] : [{ type: 'mediaConnect', attempt, sdpAnswer: message.sdp }],
      effects: [{ type: 'settle', seq: message.seq }],
    },
    nowMs,
  )
}
