import type { FinalStatus } from '../../src/domain/call.ts'
import { durationSeconds } from '../../src/domain/call.ts'
import type { Refusal, UpstreamFailure } from '../../src/domain/errors.ts'
import { fail } from '../../src/domain/errors.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import type { OfficialCallEnd } from '../../src/ports/official/call-events.ts'
import type { CallPatch } from '../../src/ports/stores/call-store.ts'
import type { CallMoment } from './event-data.ts'
import { callEvent } from './event-data.ts'
import type { CallEffect, CallState, Step, WaitingAsk } from './state.ts'
import { askersOf, externalIdOf, liveStatusOf, step } from './state.ts'

/** Codes of calls that end FAILED: [calls.states.13], [nodes.calls.4] to [nodes.calls.6]; the others are our choice. */
export const FAILURES = {
  PROVIDER_FAILED: 'The provider ended the call with a failure',
  NO_RINGING: 'The peer did not ring in time',
  MEDIA_LOST: 'The audio leg of the call was lost',
  MEDIA_TIMEOUT: 'No audio arrived after the answer',
  INTERNAL_ERROR: 'Internal error',
  NODE_LOST: 'The node that held the call stopped',
} as const
export type FailureCode = keyof typeof FAILURES

export interface Ending {
  readonly status: FinalStatus
  /** Set when the call ends FAILED, unless `failure` is. */
  readonly errorCode?: FailureCode
  /** The failure that upstream reports, in the words that the call shows. */
  readonly failure?: UpstreamFailure
  /** Upstream's own record of the end. Its times win over ours. */
  readonly upstream?: OfficialCallEnd
  /** True when the provider itself ended the call, so that it is not asked to. */
  readonly isProviderDone?: true
  /** The reason that realtime sockets get beside the final status. */
  readonly reason?: string
  /** The provider event that ended the call; it is settled once the end is stored. */
  readonly seq?: number
  /** The command that ended the call. */
  readonly ask?: WaitingAsk
  /** The refusal that those who waited for the call to proceed get at once. */
  readonly failAskersWith?: Refusal
  readonly patch?: CallPatch
}

/**
 * When the conversation began; null when there was none. Upstream may have timed a conversation whose ACCEPTED never
 * reached us.
 */
function connectedAtOf({ phase }: CallState, { upstream }: Ending, endedAt: Date): Date | null {
  const known = phase.at === 'ACCEPTED' ? phase.connectedAt : null
  if (!upstream?.isAnswered) return known
  const { startedAt, durationSeconds: seconds } = upstream
  return startedAt ?? known ?? new Date(endedAt.getTime() - (seconds ?? 0) * 1000)
}

/** call.connected of a conversation that was over before we heard of it; it is stored together with the end. */
function missedConnection(state: CallState, ending: Ending, moment: CallMoment, nowMs: number): NewEvent[] {
  if (!ending.upstream?.isAnswered || state.phase.at === 'ACCEPTED') return []
  return [
    callEvent(
      'call.connected',
      state.facts,
      {
        ...moment,
        status: 'ACCEPTED',
        endedAt: null,
        durationSeconds: null,
        errorCode: null,
        errorMessage: null,
      },
      nowMs,
    ),
  ]
}

/** The moment of the end. An answered call has a duration, even when it failed. */
function momentOf(state: CallState, ending: Ending, nowMs: number): CallMoment & { endedAt: Date } {
  const endedAt = ending.upstream?.endedAt ?? new Date(nowMs)
  const connectedAt = connectedAtOf(state, ending, endedAt)
  const counted = ending.upstream?.isAnswered ? ending.upstream.durationSeconds : null
  return {
    status: ending.status,
    externalCallId: externalIdOf(state.phase),
    media: state.media,
    connectedAt,
    endedAt,
    durationSeconds: connectedAt === null ? null : (counted ?? durationSeconds(connectedAt, endedAt)),
    errorCode: ending.failure?.code ?? ending.errorCode ?? null,
    errorMessage: ending.failure?.message ?? (ending.errorCode === undefined ? null : FAILURES[ending.errorCode]),
    isRecorded: state.record,
  }
}

/**
 * Asks the provider beside the store, so that a crash between the two does not leave the peer on a dead line. An
 * inbound call is rejected until the provider was asked to accept it; after that only a hang-up ends it.
 */
function providerEffects({ phase }: CallState, ending: Ending): CallEffect[] {
  const externalCallId = externalIdOf(phase)
  if (externalCallId === null || ending.isProviderDone) return []
  const isRinging = phase.at === 'INCOMING' || (phase.at === 'ACCEPTING' && phase.stage === 'media')
  return [{ type: isRinging ? 'reject' : 'terminate', externalCallId }]
}

/** The effects that follow the store: close sockets and leg, settle the provider's event, stop the actor. */
function closingEffects(ending: Ending, moment: CallMoment): CallEffect[] {
  const reason = moment.errorCode ?? ending.reason
  return [
    {
      type: 'mediaClose',
      status: ending.status,
      ...(reason === undefined ? {} : { reason }),
      ...(moment.durationSeconds === null ? {} : { durationSeconds: moment.durationSeconds }),
    },
    ...(ending.seq === undefined ? [] : [{ type: 'settle', seq: ending.seq } as const]),
    { type: 'stop', isStored: true },
  ]
}

/** What the row gets of the end. The event names the carrier even when the call never came to store it. */
function patchOf({ patch, upstream }: Ending, moment: CallMoment & { endedAt: Date }): CallPatch {
  const { endedAt, connectedAt, durationSeconds: seconds, errorCode, errorMessage, media } = moment
  return {
    ...patch,
    ...(media === null ? {} : { media }),
    endedAt,
    durationSeconds: seconds,
    errorCode,
    errorMessage,
    ...(upstream?.isAnswered ? { connectedAt } : {}),
  }
}

/**
 * Ends a live call with one compare-and-set that also stores its event ([calls.states.6]: MISSED inbound is
 * call.missed, everything else call.ended), and call.connected before it when upstream timed a conversation that we did
 * not hear of. The end is announced once it is stored. A call without a row stays as it is.
 */
export function end(state: CallState, ending: Ending, nowMs: number): Step {
  const from = liveStatusOf(state.phase)
  if (from === null) return step(state)
  const moment = momentOf(state, ending, nowMs)
  const event = ending.status === 'MISSED' && state.facts.direction === 'INBOUND' ? 'call.missed' : 'call.ended'
  const attempt = state.attempts + 1
  const waiting = askersOf(state.phase)
  const refusal = ending.failAskersWith
  const asks = [...(refusal ? [] : waiting), ...(ending.ask ? [ending.ask] : [])]
  const events = [...missedConnection(state, ending, moment, nowMs), callEvent(event, state.facts, moment, nowMs)]
  return step(
    {
      ...state,
      attempts: attempt,
      write: {
        attempt,
        kind: 'move',
        next: { at: 'ENDED', status: ending.status },
        asks,
        effects: closingEffects(ending, moment),
      },
    },
    [
      { type: 'cancelTimers' },
      ...providerEffects(state, ending),
      {
        type: 'move',
        attempt,
        move: { callId: state.facts.id, from: [from], to: ending.status, patch: patchOf(ending, moment), events },
      },
    ],
    refusal ? waiting.map(({ askId }) => ({ askId, outcome: fail(refusal) })) : [],
  )
}
