import type { Call } from '../../src/domain/call.ts'
import { refuse } from '../../src/domain/errors.ts'
import type { RefusalCode } from '../../src/domain/errors.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { connect } from './accept.ts'
import type { FailureCode } from './ending.ts'
import { end } from './ending.ts'
import { heldLossTold, ringingAnew } from './leg-loss.ts'
import { hasOwnLeg, isOfPlatform } from './leg.ts'
import type { CallMessage } from './messages.ts'
import type { CallEffect, CallFacts, CallPhase, CallState, CallTimes, Step } from './state.ts'
import { externalIdOf, liveStatusOf, step } from './state.ts'
import { abandon, loseOwnership, vanish } from './writing.ts'

/**
 * our choice: a resumed call waits at least this many ms, so that events held upstream or at the media host come before
 * its time is over.
 */
const LEAST_PATIENCE_MS = 5_000

/** The facts of a call as its row has them. */
export function factsOfRow(call: Call): CallFacts {
  const {
    id,
    tenantId,
    numberId,
    provider,
    direction,
    peerNumber,
    fromNumber,
    conversationId,
    bizOpaqueCallbackData,
    createdAt,
  } = call
  return {
    id,
    tenantId,
    numberId,
    provider,
    direction,
    peerNumber,
    fromNumber,
    conversationId,
    bizOpaqueCallbackData,
    startedAt: call.startedAt ?? createdAt,
    createdAt,
  }
}

function phaseOf(call: Call): CallPhase | null {
  const { externalCallId } = call
  if (externalCallId === null) return null
  switch (call.status) {
    case 'INITIATED':
      return { at: 'INITIATED', externalCallId }
    case 'RINGING':
      return call.direction === 'OUTBOUND'
        ? { at: 'RINGING', externalCallId }
        : { at: 'INCOMING', externalCallId, sdpOffer: call.sdpOffer ?? '' }
    case 'ACCEPTED':
      return { at: 'ACCEPTED', externalCallId, connectedAt: call.connectedAt ?? call.createdAt }
    default:
      return null
  }
}

/**
 * The rest of the time that an answered call may stay silent, in ms. At least `ringMs` is left, because events held
 * upstream come first and may include its end.
 */
function silenceLeftMs({ ringMs, silenceMs }: CallTimes, connectedAt: Date, nowMs: number): number {
  return Math.min(silenceMs, Math.max(ringMs, silenceMs - (nowMs - connectedAt.getTime())))
}

/**
 * Goes on with a call from its row, without a write or an event. A call whose leg is ours is adopted at its media host
 * first, and everything waits for that. A call that cannot be followed is left to a sweep.
 */
export function resume(fresh: CallState, { call }: CallMessage & { type: 'Resume' }, nowMs: number): Step {
  const phase = phaseOf(call)
  if (phase === null || fresh.phase.at !== 'NEW') return step(fresh, [{ type: 'stop', isStored: false }])
  const { playback, mediaHost, sdpAnswer, media, recording } = call
  // The former owner may have had a media host announce or answer a call of the platform that rings.
  const isAtHost = isOfPlatform(fresh) && phase.at === 'INCOMING'
  const state: CallState = { ...fresh, phase, media, sdpAnswer, isAtHost }
  if (hasOwnLeg(state)) {
    const attempt = state.attempts + 1
    return step(
      {
        ...state,
        attempts: attempt,
        playback,
        mediaHost,
        record: recording !== null,
        prepared: phase.at === 'INCOMING' && sdpAnswer !== null ? { attempt, sdp: sdpAnswer } : null,
        isResumed: true,
        awaitsUpstream: true,
        resuming: { stage: 'media', attempt, movedAt: call.updatedAt },
      },
      [{ type: 'mediaAdopt', attempt, externalCallId: externalIdOf(phase), host: mediaHost }],
    )
  }
  // Events held upstream come first, so the timer starts anew.
  return step(state, [
    phase.at === 'ACCEPTED'
      ? { type: 'startTimer', timer: 'silence', delayMs: silenceLeftMs(state.times, phase.connectedAt, nowMs) }
      : { type: 'startTimer', timer: 'ring', delayMs: state.times.ringMs },
    ...voiceOf(state),
  ])
}

/**
 * How a call ends whose adoption was refused with this code; MEDIA_LOST for all others. The host ends a call that
 * nobody adopts in time, and then says that it is over.
 */
const NOT_ADOPTED: Partial<Readonly<Record<RefusalCode, FailureCode>>> = { CALL_INVALID_STATE: 'NODE_LOST' }

/** The media host handed the call over, or refused. */
export function adopted(
  state: CallState,
  { attempt, outcome }: CallMessage & { type: 'Adopted' },
  nowMs: number,
): Step {
  const { resuming, phase } = state
  if (resuming?.stage !== 'media' || resuming.attempt !== attempt) return step(state)
  const { movedAt } = resuming
  const free = { ...state, resuming: null }
  if (outcome.ok) {
    // Only upstream knows whether the accept got through before the previous owner was gone. The official platform does
    // not say what it has, and tells of the end of a call by itself.
    const isInDoubt = phase.at === 'INCOMING' && outcome.value.hasLeg && !isOfPlatform(state)
    // The host heard of an accept that is in doubt, and the row did not.
    const record = state.record || (outcome.value.isRecorded ?? false)
    return handedAgain({ ...state, record, resuming: isInDoubt ? { stage: 'upstream' } : null }, [
      ...patience(state, movedAt, nowMs),
      ...toldHost(state),
      ...voiceOf(state),
    ])
  }
  const { code } = outcome.error
  if (code === 'NOT_OWNER') return loseOwnership(free)
  if (phase.at === 'INCOMING' && code !== 'CALL_INVALID_STATE') {
    // The call rings, and has lost only the sockets that waited for it.
    return step(free, [...patience(state, movedAt, nowMs), ...ringingAnew(phase)])
  }
  return end(free, { status: 'FAILED', errorCode: NOT_ADOPTED[code] ?? 'MEDIA_LOST' }, nowMs)
}

/**
 * Gives the leg upstream's answer once more, which the previous owner stored and may not have handed on: the same again
 * changes nothing.
 */
function handedAgain(state: CallState, effects: readonly CallEffect[]): Step {
  if (!isOfPlatform(state) || state.facts.direction !== 'OUTBOUND' || state.sdpAnswer === null)
    return step(state, effects)
  const attempt = state.attempts + 1
  return step({ ...state, attempts: attempt, connecting: attempt }, [
    ...effects,
    { type: 'mediaConnect', attempt, sdpAnswer: state.sdpAnswer },
  ])
}

/** The number's bot is dialled for a call that rings, or only told again when it is there. */
function voiceOf({ phase }: CallState): CallEffect[] {
  return phase.at === 'INCOMING' ? [{ type: 'readVoice' }] : []
}

/**
 * Tells the host the status of the row. The row is stored before the host is told, so the previous owner may not have
 * told it.
 */
function toldHost({ phase }: CallState): CallEffect[] {
  const status = liveStatusOf(phase)
  const externalCallId = externalIdOf(phase)
  return status === null || externalCallId === null ? [] : [{ type: 'mediaStatus', status, externalCallId }]
}

/**
 * The timer of the phase, with the rest of its time. `movedAt` is when the row was last written, which for a ringing
 * outbound call is when it began to ring.
 */
function patience({ phase, facts, times }: CallState, movedAt: Date, nowMs: number): CallEffect[] {
  const left = (wholeMs: number, since: Date) =>
    Math.max(Math.min(LEAST_PATIENCE_MS, wholeMs), wholeMs - Math.max(0, nowMs - since.getTime()))
  switch (phase.at) {
    case 'INITIATED':
      return [{ type: 'startTimer', timer: 'unringing', delayMs: left(times.unringingMs, facts.startedAt) }]
    case 'RINGING':
      return [{ type: 'startTimer', timer: 'ring', delayMs: left(times.ringMs, movedAt) }]
    case 'INCOMING':
      return [{ type: 'startTimer', timer: 'ring', delayMs: left(times.ringMs, facts.startedAt) }]
    case 'ACCEPTED':
      return [{ type: 'startTimer', timer: 'media', delayMs: left(times.mediaMs, phase.connectedAt) }]
    default:
      return []
  }
}

/**
 * Upstream says that it has the call, and whether it is connected. An inbound call for which it took our answer is
 * answered, although the previous owner did not store that. A call whose leg was lost meanwhile is over, unless it only
 * rings.
 */
export function upstreamKnows(
  state: CallState,
  { isConnected }: CallMessage & { type: 'UpstreamKnows' },
  nowMs: number,
): Step {
  const known = { ...state, awaitsUpstream: false }
  const { phase, resuming, heldLoss } = known
  const free = { ...known, resuming: null }
  const inDoubt = resuming?.stage === 'upstream' && phase.at === 'INCOMING' ? phase : null
  if (inDoubt && !isConnected) return step({ ...free, heldLoss: null }, heldLoss === null ? [] : ringingAnew(inDoubt))
  const loss = heldLossTold(known, nowMs)
  if (loss) return loss
  if (inDoubt === null) return step(known)
  const { externalCallId } = inDoubt
  return connect(free, { externalCallId, at: null, asks: [], alongside: [], effects: [] }, nowMs)
}

const FIRST: ReadonlySet<CallMessage['type']> = new Set<CallMessage['type']>(['Adopted', 'Crashed', 'Fenced', 'Stored'])
const LATER: ReadonlySet<CallMessage['type']> = new Set<CallMessage['type']>([
  'Accept',
  'PreAccept',
  'Reject',
  'Terminate',
  'VoiceDialled',
])

/** Events of the media host that may answer or decline the call. */
const ACTING: ReadonlySet<MediaEvent['type']> = new Set<MediaEvent['type']>(['accept', 'hangup', 'session'])

/**
 * Whether a message waits until the state of a resumed call is known. In the stage `media` all do, in the stage
 * `upstream` those that answer or decline the call.
 */
export function waitsForResume({ resuming, phase }: CallState, message: CallMessage): boolean {
  if (resuming === null || phase.at === 'ENDED' || phase.at === 'GONE') return false
  if (resuming.stage === 'media') return !FIRST.has(message.type)
  return LATER.has(message.type) || (message.type === 'Media' && ACTING.has(message.event.type))
}

/**
 * The node stops. A call whose audio outlives the node is left to the number's next owner as soon as none of its work
 * is under way here. A call whose media host stops with the node ends.
 */
export function leave(state: CallState, nowMs: number): Step {
  if (!hasOwnLeg(state)) return abandon(state, 'NODE_LOST', nowMs)
  if (!state.outlives) return end(state, { status: 'FAILED', errorCode: 'NODE_LOST' }, nowMs)
  return step({ ...state, isLeaving: true })
}

/** Whether everybody who asked something has an answer, and the row says all that is known. */
function isAtRest({ phase, write, asked, connecting }: CallState): boolean {
  if (write !== null || asked > 0 || connecting !== null || externalIdOf(phase) === null) return false
  return phase.at !== 'ACCEPTING'
}

/** Lets go of a call that is leaving and at rest. */
export function leftAtRest(made: Step): Step {
  const { state } = made
  if (!state.isLeaving || !isAtRest(state)) return made
  const gone = vanish(state, refuse('NOT_OWNER', 'The node is stopping; try again', undefined, 1), false, [
    { type: 'cancelTimers' },
    { type: 'mediaLeave' },
    { type: 'stop', isStored: true },
  ])
  return step(gone.state, [...made.effects, ...gone.effects], [...made.replies, ...gone.replies])
}
