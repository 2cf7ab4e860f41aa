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
  /** Set on FAILED, or `failure` is. */
  readonly errorCode?: FailureCode
  /** What upstream says went wrong, in the words the call shows. */
  readonly failure?: UpstreamFailure
  /** Upstream's own account of the end: its times win over ours. */
  readonly upstream?: OfficialCallEnd
  /** The provider itself ended the call, so it is not asked to. */
  readonly isProviderDone?: true
  /** Shown to realtime sockets beside the final status. */
  readonly reason?: string
  /** The provider event that ended it; settled once stored. */
  readonly seq?: number
  /** The command that ended it. */
  readonly ask?: WaitingAsk
  /** Answers those who waited for the call to proceed at once with this. */
  readonly failAskersWith?: Refusal
  readonly patch?: CallPatch
}

/**
 * When the conversation began; null when there was none. Upstream may have timed one of which no ACCEPTED reached us.
 */
function connectedAtOf({ phase }: CallState, { upstream }: Ending, endedAt: Date): Date | null {
  const known = phase.at === 'ACCEPTED' ? phase.connectedAt : null
  if (!upstream?.isAnswered) return known
  const { startedAt, durationSeconds: seconds } = upstream
  return startedAt ?? known ?? new Date(endedAt.getTime() - (seconds ?? 0) * 1000)
}

/** call.connected of a conversation that was over before we heard of it: stored together with its end. */
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

/** What the ended call looks like: an answered call has a duration, also when it failed. */
function momentOf(state: CallState, ending: Ending, nowMs: number): CallMoment & { endedAt: Date } {
  const endedAt = ending.upstream?.endedAt ?? new Date(nowMs)
  const connectedAt = connectedAtOf(state, ending, endedAt)
  const counted = ending.upstream?.isAnswered ? ending.upstream.durationSeconds : null
  return {
    status: ending.status,
    externalCallId: externalIdOf(state.phase),
    connectedAt,
    endedAt,
    durationSeconds: connectedAt === null ? null : (counted ?? durationSeconds(connectedAt, endedAt)),
    errorCode: ending.failure?.code ?? ending.errorCode ?? null,
    errorMessage: ending.failure?.message ?? (ending.errorCode === undefined ? null : FAILURES[ending.errorCode]),
  }
}

/**
 * Asks the provider at once, beside the store: a crash between the two must not leave the peer on a dead line.
 * An inbound call is rejected as long as the provider was not asked to accept it; after that only a hang-up ends it.
 */
function providerEffects({ phase }: CallState, ending: Ending): CallEffect[] {
  const externalCallId = externalIdOf(phase)
  if (externalCallId === null || ending.isProviderDone) return []
  const isRinging = phase.at === 'INCOMING' || (phase.at === 'ACCEPTING' && phase.stage === 'media')
  return [{ type: isRinging ? 'reject' : 'terminate', externalCallId }]
}

/** After the store: sockets and leg, the provider's event, and the actor itself. */
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

/**
 * Ends a live call: one compare-and-set with its event ([calls.states.6]: MISSED inbound is call.missed, everything
 * else call.ended), and before it call.connected where upstream timed a conversation we did not hear of; announced when
 * stored. A call that has no row any more stays as it is.
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
  const { endedAt, connectedAt, durationSeconds: seconds, errorCode, errorMessage } = moment
  const patch: CallPatch = {
    ...ending.patch,
    endedAt,
    durationSeconds: seconds,
    errorCode,
    errorMessage,
    ...(ending.upstream?.isAnswered ? { connectedAt } : {}),
  }
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
      { type: 'move', attempt, move: { callId: state.facts.id, from: [from], to: ending.status, patch, events } },
    ],
    refusal ? waiting.map(({ askId }) => ({ askId, outcome: fail(refusal) })) : [],
  )
}
