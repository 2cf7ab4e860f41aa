import { fail } from '../../src/domain/errors.ts'
import { decideBy, type VerbTable } from '../engine/verb-table.ts'
import type { CallMessage } from './messages.ts'
import { lateOffer } from './outbound.ts'
import type { CallState, Step } from './state.ts'
import { step } from './state.ts'
import { answerTo, invalidState } from './writing.ts'

/**
 * Handles messages of a call that is over: commands hear how it ended, provider events are settled, a late offer is
 * hung up, and the rest is dropped.
 */
export function over(state: CallState, message: CallMessage, nowMs: number): Step {
  if (!('seq' in message)) return decideBy(OVER, state, message, nowMs)
  const isOurs = state.phase.at !== 'GONE' || state.phase.isOurs
  return step(state, isOurs ? [{ type: 'settle', seq: message.seq }] : [])
}

const OVER: VerbTable<Exclude<CallMessage, { readonly seq: number }>, CallState, Step> = {
  Accept: hearHow,
  Reject: hearHow,
  Terminate: hearHow,
  Play: refuse,
  PlayQueued: refuse,
  OpenSession: refuse,
  Minted: refuse,
  DialSession: refuse,
  Dialled: refuse,
  GiveBack: refuse,
  GivenBack: refuse,
  PreAccept: refuse,
  PreAccepted: refuse,
  Offered: (state, message) => step(state, lateOffer(state, message)),
  Crashed: (state) => step(state, [{ type: 'cancelTimers' }, { type: 'stop', isStored: false }]),
  StartOutbound: stale,
  Resume: stale,
  Adopted: stale,
  UpstreamKnows: stale,
  Leave: stale,
  Stored: stale,
  MediaOffered: stale,
  MediaAnswered: stale,
  AcceptedUpstream: stale,
  MediaConnected: stale,
  Media: stale,
  TimerFired: stale,
  VoiceRead: stale,
  VoiceDialled: stale,
  Abandon: stale,
  Fenced: stale,
}

function hearHow(
  state: CallState,
  { askId, type }: CallMessage & { readonly type: 'Accept' | 'Reject' | 'Terminate' },
): Step {
  const { phase } = state
  if (phase.at !== 'ENDED' && phase.at !== 'GONE') return step(state)
  return step(state, [], askId === null ? [] : [{ askId, outcome: answerTo({ askId, command: type }, state, phase) }])
}

function refuse(state: CallState, { askId }: { readonly askId: number | null }): Step {
  if (askId === null) return step(state)
  return step(state, [], [{ askId, outcome: fail(invalidState('The call is over')) }])
}

function stale(state: CallState): Step {
  return step(state)
}
