import type { CallCarrier } from '../../src/domain/call.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { Refusal } from '../../src/domain/errors.ts'
import { readDescription } from '../../src/domain/sdp/voice-description.ts'
import { end } from './ending.ts'
import { callEvent } from './event-data.ts'
import { hasOwnLeg, isOfPlatform } from './leg.ts'
import type { CallMessage } from './messages.ts'
import type { CallEffect, CallPhase, CallState, Step, WaitingAsk } from './state.ts'
import { askersOf, isLeftByBot, liveStatusOf, step } from './state.ts'
import { beginWrite, invalidState } from './writing.ts'

/** How a call is accepted: `sdp` is the tenant's answer; `media` says who is to carry the audio, null when unsaid. */
export interface AcceptBy {
  readonly sdp: string | null
  readonly media: CallCarrier | null
}

/** By the bot, or its socket: the media host answers. */
export const BY_BOT: AcceptBy = { sdp: null, media: 'bridge' }

/** Accepts an inbound ringing call; a second accept waits for the same answer. */
export function accept(state: CallState, askId: number | null, by: AcceptBy): Step {
  const { phase } = state
  const askers = askId === null ? [] : [askId]
  if (phase.at === 'ACCEPTING') return step({ ...state, phase: { ...phase, askers: [...phase.askers, ...askers] } })
  if (phase.at !== 'INCOMING')
    return refusedTo(state, askers, invalidState('Only an inbound ringing call can be accepted'))
  return isOfPlatform(state) && !isBridged(state, by)
    ? acceptOwn(state, phase, askers, by.sdp)
    : acceptCarried(state, phase, askers)
}

/** Whether our media host is to answer: when that is asked for, or the number's bot is there, and nobody brings SDP. */
function isBridged({ voice, sdpAnswer, prepared }: CallState, { sdp, media }: AcceptBy): boolean {
  if (sdp !== null) return false
  return media === 'bridge' || prepared !== null || (voice !== null && sdpAnswer === null)
}

type Ringing = CallPhase & { at: 'INCOMING' }

/**
 * The tenant's own end has the audio once upstream takes its answer; then a bot that was dialled is told that there is
 * nothing for it ([bridged-calls.bridge.12]).
 */
function acceptOwn(state: CallState, phase: Ringing, askers: readonly number[], sdp: string | null): Step {
  const { externalCallId, sdpOffer } = phase
  const { media, record } = state
  // One that is still being made comes while nobody waits for it, and is asked for anew.
  const prepared = state.prepared !== null && state.prepared.sdp !== null ? state.prepared : null
  const answer = sdp ?? state.sdpAnswer
  if (answer === null)
    return refusedTo(state, askers, refuse('INVALID_SDP', 'Send the SDP answer of the call, or media bridge'))
  const attempt = state.attempts + 1
  return step(
    {
      ...state,
      attempts: attempt,
      media: 'own',
      record: false,
      prepared: null,
      phase: {
        at: 'ACCEPTING',
        stage: 'provider',
        attempt,
        askers,
        externalCallId,
        sdpOffer,
        sdpAnswer: answer,
        spared: { media, record, prepared },
      },
    },
    [{ type: 'accept', attempt, externalCallId, sdp: answer }],
  )
}

/** Our media host answers the offer, unless it has done so already. */
function acceptCarried(state: CallState, { externalCallId, sdpOffer }: Ringing, askers: readonly number[]): Step {
  const isOurs = isOfPlatform(state)
  const fault = isOurs ? faultOf(sdpOffer) : null
  if (fault !== null) return refusedTo(state, askers, fault)
  const attempt = state.attempts + 1
  const carried: CallState = { ...state, attempts: attempt, ...(isOurs ? { media: 'bridge', isAtHost: true } : {}) }
  const ringing = { at: 'ACCEPTING', askers, externalCallId, sdpOffer, spared: null } as const
  const { prepared } = state
  if (prepared === null)
    return step({ ...carried, phase: { ...ringing, stage: 'media', attempt, sdpAnswer: null } }, [
      { type: 'mediaAnswer', attempt, externalCallId, sdpOffer },
    ])
  if (prepared.sdp === null)
    return step({ ...carried, phase: { ...ringing, stage: 'media', attempt: prepared.attempt, sdpAnswer: null } })
  const { sdp } = prepared
  return step({ ...carried, phase: { ...ringing, stage: 'provider', attempt, sdpAnswer: sdp } }, [
    { type: 'accept', attempt, externalCallId, sdp },
  ])
}

/** Why our media host could not answer this offer; null when it can ([bridged-calls.bridge.11]). */
export function faultOf(sdpOffer: string): Refusal | null {
  const read = readDescription(sdpOffer, 'offer')
  return read.ok
    ? null
    : refuse('FEATURE_NOT_SUPPORTED', `The service cannot carry the audio of this call: its offer ${read.fault}`)
}

function refusedTo(state: CallState, askers: readonly number[], refusal: Refusal): Step {
  return step(
    state,
    [],
    askers.map((askId) => ({ askId, outcome: fail(refusal) })),
  )
}

/** The media host answered the offer. our choice: when it refuses, the call keeps ringing and may be accepted again. */
export function mediaAnswered(state: CallState, message: CallMessage & { type: 'MediaAnswered' }): Step {
  const { phase } = state
  if (phase.at !== 'ACCEPTING' || phase.stage !== 'media' || phase.attempt !== message.attempt) return step(state)
  const { outcome } = message
  const { externalCallId } = phase
  if (!outcome.ok) return ringOn({ ...state, prepared: null }, phase, outcome.error)
  const attempt = state.attempts + 1
  const { sdp, host: mediaHost = null } = outcome.value
  // An answer that was asked for ahead is used again when the provider refuses this accept.
  const prepared = state.prepared?.attempt === phase.attempt ? { ...state.prepared, sdp } : state.prepared
  return step(
    {
      ...state,
      attempts: attempt,
      mediaHost,
      prepared,
      phase: { ...phase, stage: 'provider', attempt, sdpAnswer: isOfPlatform(state) ? sdp : null },
    },
    [{ type: 'accept', attempt, externalCallId, sdp }],
  )
}

/** The call rings as before the accept, for a bot too: one that answers by itself is there to do so. */
function ringOn(state: CallState, phase: CallPhase & { at: 'ACCEPTING' }, refusal: Refusal): Step {
  const { externalCallId, sdpOffer, askers, spared } = phase
  const isForBot = spared !== null && state.voice?.bot === 'open' && state.voice.answer === 'accept'
  return step(
    {
      ...state,
      ...spared,
      phase: { at: 'INCOMING', externalCallId, sdpOffer },
      stash: isForBot ? [...state.stash, { type: 'Accept', askId: null, ...BY_BOT }] : state.stash,
    },
    [{ type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs }],
    askers.map((askId) => ({ askId, outcome: fail(refusal) })),
  )
}

/**
 * The provider took the answer, or refused it. After a refusal nobody knows whether the peer hears us, so the call is
 * ended. our choice: a call of the official platform rings on, because a better SDP may still come in time and upstream
 * tells of its end. A call that upstream cannot accept at all rings on too, because it can still be declined.
 */
export function acceptedUpstream(
  state: CallState,
  message: CallMessage & { type: 'AcceptedUpstream' },
  nowMs: number,
): Step {
  const { phase } = state
  if (phase.at !== 'ACCEPTING' || phase.attempt !== message.attempt) return step(state)
  if (!message.outcome.ok) {
    if (isOfPlatform(state) || message.outcome.error.code === 'FEATURE_NOT_SUPPORTED')
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
  const { externalCallId } = connection
  const connectedAt = connection.at ?? new Date(nowMs)
  const patch = {
    connectedAt,
    ...(state.sdpAnswer === null ? {} : { sdpAnswer: state.sdpAnswer }),
    ...(state.mediaHost === null ? {} : { mediaHost: state.mediaHost }),
    ...(state.record ? { recording: 'ASKED' as const } : {}),
    ...(state.media === null ? {} : { media: state.media }),
  }
  const event = connectedEvent(state, externalCallId, connectedAt, nowMs)
  return beginWrite(
    state,
    {
      kind: 'move',
      next: { at: 'ACCEPTED', externalCallId, connectedAt },
      asks: connection.asks,
      effects: [{ type: 'cancelTimers' }, ...onceConnected(state, externalCallId), ...connection.effects],
    },
    (attempt) => ({
      type: 'move',
      attempt,
      move: { callId: state.facts.id, from: [from], to: 'ACCEPTED', patch, events: [event] },
    }),
    connection.alongside,
  )
}

/** A media host that has no leg of the call is done with it. */
function onceConnected(state: CallState, externalCallId: string): CallEffect[] {
  const { mediaMs, silenceMs } = state.times
  return hasOwnLeg(state)
    ? [
        { type: 'startTimer', timer: 'media', delayMs: mediaMs },
        { type: 'mediaStatus', status: 'ACCEPTED', externalCallId },
      ]
    : [
        { type: 'startTimer', timer: 'silence', delayMs: silenceMs },
        { type: 'mediaClose', status: 'ACCEPTED' },
      ]
}

function connectedEvent(
  { facts, media }: CallState,
  externalCallId: string,
  connectedAt: Date,
  nowMs: number,
): NewEvent {
  const open = { media, endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null }
  return callEvent('call.connected', facts, { status: 'ACCEPTED', externalCallId, connectedAt, ...open }, nowMs)
}
