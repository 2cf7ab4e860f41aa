import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse } from '../../../src/domain/errors.ts'
import type { CallId, ConversationId, NumberId } from '../../../src/domain/ids.ts'
import { LONG_ASK_TIMEOUT_MS } from '../../../src/domain/limits.ts'
import type { CallRef } from '../../call/call-actor.ts'
import { spawnCall } from '../../call/call-actor.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import type { PlacedCall } from '../../call/messages.ts'
import { factsOfRow } from '../../call/resume.ts'
import type { CallFacts, CallTimes } from '../../call/state.ts'
import type { Traces } from '../../../src/ports/traces.ts'
import type { NumberStore } from '../../../src/ports/stores/number-store.ts'
import type { UpstreamCall } from '../../../src/ports/provider.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import type { Self } from '../../engine/runtime.ts'
import { setAside, settle, type AsidePorts, type SettleWorld } from '../settle.ts'
import type { CallsMessage } from './messages.ts'
import { closeOrphans, type OrphanPorts } from './orphans.ts'
import type { CallsEffect } from './state.ts'

const NO_LIST = refuse('FEATURE_NOT_SUPPORTED', 'The provider does not tell which calls it holds')

/** The ports of calls. */
export interface CallsPorts extends OrphanPorts, AsidePorts {
  readonly setAside: OrphanPorts['setAside'] & AsidePorts['setAside']
  readonly callTimes: CallTimes
  readonly numbers: Pick<NumberStore, 'voiceOf'>
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  /** The id of the conversation with a peer; messages and calls share it. */
  conversationOf(numberId: NumberId, peer: string): ConversationId
  callStarted(callId: CallId, ref: CallRef): void
  callStopped(callId: CallId): void
}

/** The mutable state of calls, and what they need of the other facets. */
export interface CallsWorld extends SettleWorld {
  readonly ports: CallsPorts
  readonly self: SettleWorld['self'] & Self<CallsMessage>
  readonly calls: Map<CallId, CallRef>
  /** Called when a call is gone, because a stopping number waits for its calls. */
  finishWhenDone(): void
}

/** Does the effects of calls. */
export const CALLS_EFFECTS: EffectTable<CallsEffect, CallsWorld> = {
  placeCall,
  takeCall,
  resumeCall,
  tellCall,
  endCalls,
  listCalls,
  sweep,
}

/**
 * Spawns a call. One with a leg of ours is bound to the open session, or, while the number starts, to the first one
 * that opens, because a later session knows neither its id nor its event numbers. Any other call uses the present
 * session.
 */
function start(world: CallsWorld, facts: CallFacts): CallRef {
  const { ports, self } = world
  let bound = world.open
  const isBound = kindOf(facts).can.callAudio
  const current = () => {
    bound ??= world.open
    return !isBound || world.open === bound ? world.open : null
  }
  const { clock, log, traces, fenced, calls, numbers, media, fence, callTimes } = ports
  const ref = spawnCall(
    self,
    {
      clock,
      log,
      ...(fenced ? { fenced } : {}),
      ...(traces ? { traces } : {}),
      calls,
      numbers,
      media,
      fence,
      session: () => current()?.session ?? null,
      settle: (seq) => settle(world, current(), seq),
      setAside: (seq, fault) => void setAside(world, current(), seq, fault),
      offered: (callId, externalCallId) => self.tell({ type: 'CallOffered', callId, externalCallId }),
      leftUpstream: (externalCallId) => self.tell({ type: 'CallLeft', externalCallId }),
      stopped: (callId, isStored) => callGone(world, callId, isStored),
    },
    facts,
    isBound ? callTimes : { ...callTimes, ringMs: callTimes.upstreamMs },
  )
  world.calls.set(facts.id, ref)
  ports.callStarted(facts.id, ref)
  return ref
}

function factsOf(
  { ports }: CallsWorld,
  number: (CallsEffect & { type: 'placeCall' | 'takeCall' })['number'],
  peerNumber: string,
) {
  const { tenantId, id: numberId, provider, number: fromNumber } = number
  const now = new Date(ports.clock.now())
  return {
    tenantId,
    numberId,
    provider,
    fromNumber,
    peerNumber,
    conversationId: ports.conversationOf(numberId, peerNumber),
    startedAt: now,
    createdAt: now,
  }
}

/** Starts an outbound call. Its first answer is the answer of PlaceCall. */
function placeCall(world: CallsWorld, effect: CallsEffect & { type: 'placeCall' }): void {
  const { callId, askId, to, bizOpaqueCallbackData, sdp, media, record, trace } = effect
  const ref = start(world, {
    ...factsOf(world, effect.number, to),
    id: callId,
    direction: 'OUTBOUND',
    bizOpaqueCallbackData,
  })
  void ref
    .ask<PlacedCall>(
      (startAskId) => ({ type: 'StartOutbound', askId: startAskId, sdp: sdp ?? null, media, record, trace }),
      LONG_ASK_TIMEOUT_MS,
    )
    .then((outcome) => {
      const answer: Outcome<PlacedCall> =
        typeof outcome === 'symbol' ? fail(refuse('INTERNAL', 'Internal error')) : outcome
      world.self.reply(askId, answer)
    })
}

/** Starts an inbound call: the peer is the caller, the number the callee. */
function takeCall(world: CallsWorld, effect: CallsEffect & { type: 'takeCall' }): void {
  const { callId, externalCallId, peerNumber, sdp, seq, at, rejection, trace } = effect
  const facts = factsOf(world, effect.number, peerNumber)
  const ref = start(world, {
    ...facts,
    startedAt: at ?? facts.startedAt,
    id: callId,
    direction: 'INBOUND',
    bizOpaqueCallbackData: null,
  })
  ref.tell({ type: 'StartInbound', seq, externalCallId, sdp, rejection, trace })
}

/** Resumes a live call from its row. */
function resumeCall(world: CallsWorld, { call }: CallsEffect & { type: 'resumeCall' }): void {
  start(world, factsOfRow(call)).tell({ type: 'Resume', call })
}

/**
 * Hands a message to its call. A call that is gone, while the number does not know it yet, has stored its end: the
 * event is only settled.
 */
function tellCall(world: CallsWorld, { callId, message }: CallsEffect & { type: 'tellCall' }): void {
  const ref = world.calls.get(callId)
  if (ref) ref.tell(message)
  else if ('seq' in message) settle(world, world.open, message.seq)
}

function endCalls({ calls }: CallsWorld, { how }: CallsEffect & { type: 'endCalls' }): void {
  for (const call of calls.values()) {
    if (how === 'hangup') call.tell({ type: 'Terminate', askId: null })
    else if (how === 'fence') call.tell({ type: 'Fenced' })
    else if (how === 'leave') call.tell({ type: 'Leave' })
    else call.tell({ type: 'Abandon', reason: how })
  }
}

/** Lists the calls of this session. A session that was replaced meanwhile is not asked; the next one is. */
function listCalls({ open, self }: CallsWorld, { sessionId }: CallsEffect & { type: 'listCalls' }): void {
  if (open?.sessionId !== sessionId) return
  const listing = open.session.liveCalls?.list() ?? Promise.resolve(fail<readonly UpstreamCall[]>(NO_LIST))
  void listing.then((outcome) => self.tell({ type: 'CallsListed', sessionId, outcome }))
}

function callGone(world: CallsWorld, callId: CallId, isStored: boolean): void {
  world.calls.delete(callId)
  world.ports.callStopped(callId)
  world.self.tell({ type: 'CallStopped', callId, isStored })
  world.finishWhenDone()
}

function sweep({ ports, self }: CallsWorld, { except }: CallsEffect & { type: 'sweep' }): void {
  void closeOrphans(ports, 'INTERNAL_ERROR', except, false).then((closing) =>
    self.tell({
      type: 'Swept',
      isDone: closing.kind !== 'failed',
      resumable: closing.kind === 'closed' ? closing.resumable : [],
    }),
  )
}
