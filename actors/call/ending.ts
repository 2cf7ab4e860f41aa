import type { FinalStatus } from '../../src/domain/call.ts'
import { durationSeconds } from '../../src/domain/call.ts'
import type { Refusal } from '../../src/domain/errors.ts'
import { fail } from '../../src/domain/errors.ts'
import type { CallPatch } from '../../src/ports/stores/call-store.ts'
import type { CallMoment } from './event-data.ts'
import { callEvent } from './event-data.ts'
import type { CallEffect, CallState, Step, WaitingAsk } from './state.ts'
import { askersOf, externalIdOf, liveStatusOf, step } from './state.ts'

/** Codes of calls that end FAILED. Contract 5 and 6 name MEDIA_TIMEOUT and NODE_LOST, the others are our choice. */
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
  /** Set on FAILED. */
  readonly errorCode?: FailureCode
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

/** What the ended call looks like: an answered call has a duration, also when it failed. */
function momentOf(state: CallState, ending: Ending, nowMs: number): CallMoment & { endedAt: Date } {
  const connectedAt = state.phase.at === 'ACCEPTED' ? state.phase.connectedAt : null
  const endedAt = new Date(nowMs)
  return {
    status: ending.status,
    externalCallId: externalIdOf(state.phase),
    connectedAt,
    endedAt,
    durationSeconds: connectedAt === null ? null : durationSeconds(connectedAt, endedAt),
    errorCode: ending.errorCode ?? null,
    errorMessage: ending.errorCode === undefined ? null : FAILURES[ending.errorCode],
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
  const reason = ending.errorCode ?? ending.reason
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
 * Ends a live call: one compare-and-set with its one event (contract 6: MISSED inbound is call.missed,
 * everything else call.ended); announced when stored. A call that has no row any more stays as it is.
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
  const { endedAt, durationSeconds: seconds, errorCode, errorMessage } = moment
  const patch: CallPatch = { ...ending.patch, endedAt, durationSeconds: seconds, errorCode, errorMessage }
  const events = [callEvent(event, state.facts, moment, nowMs)]
  return step(
    {
      ...state,
      attempts: attempt,
      write: { attempt, kind: 'move', next: { at: 'ENDED', status: ending.status }, asks, effects: closingEffects(ending, moment) },
    },
    [
      { type: 'cancelTimers' },
      ...providerEffects(state, ending),
      { type: 'move', attempt, move: { callId: state.facts.id, from: [from], to: ending.status, patch, events } },
    ],
    refusal ? waiting.map(({ askId }) => ({ askId, outcome: fail(refusal) })) : [],
  )
}
