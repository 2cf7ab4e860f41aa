import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { ASK_TIMEOUT_MS, PROVIDER_REQUEST_MS } from '../../src/domain/limits.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import { toDigits } from '../../src/domain/phone.ts'
import { factsOfRow } from '../call/resume.ts'
import { hasOwnLeg } from '../call/leg.ts'
import type { CallRef } from '../call/call-actor.ts'
import { spawnCall } from '../call/call-actor.ts'
import type { PlacedCall } from '../call/messages.ts'
import type { CallFacts } from '../call/state.ts'
import { STOPPED } from '../runtime.ts'
import type { OpenSession } from './open-session.ts'
import type { NumberWorld } from './world.ts'
import type { NumberEffect } from './state.ts'

/** Asks that reach media host and provider wait for both at their slowest (each MEDIA_REQUEST_MS, PROVIDER_REQUEST_MS), and for rows. */
export const LONG_ASK_TIMEOUT_MS = ASK_TIMEOUT_MS + PROVIDER_REQUEST_MS

type Gone = (callId: CallId, isStored: boolean) => void

/**
 * The outcome of an event is stored. Those below zero came by a change (see inbox.ts), the others from the session: after
 * that is closed this says nothing, and the event comes again.
 */
export function settle(world: NumberWorld, open: OpenSession | null, seq: number): void {
  if (seq < 0) return world.self.tell({ type: 'EventSettled', seq })
  open?.line.settle(seq)
  open?.session.settle(seq)
}

/** Spawns a call bound to the session now open: a later session knows neither its id nor its event numbers, unless the call needs none. */
function start(world: NumberWorld, facts: CallFacts, gone: Gone): CallRef {
  const { ports, self } = world
  const bound = world.open
  const isBound = hasOwnLeg(facts)
  const current = () => (!isBound || (bound !== null && world.open === bound) ? world.open : null)
  const { clock, log, calls, media, fence, callTimes } = ports
  const ref = spawnCall(ports.runtime, {
    clock, log, calls, media, fence,
    session: () => current()?.session ?? null,
    settle: (seq) => settle(world, current(), seq),
    offered: (callId, externalCallId) => self.tell({ type: 'CallOffered', callId, externalCallId }),
    stopped: gone,
  }, facts, isBound ? callTimes : { ...callTimes, ringMs: callTimes.upstreamMs })
  world.calls.set(facts.id, ref)
  ports.callStarted(facts.id, ref)
  return ref
}

function factsOf({ ports }: NumberWorld, number: ChannelNumber, peerNumber: string) {
  const { tenantId, id: numberId, provider, number: fromNumber } = number
  const now = new Date(ports.clock.now())
  return { tenantId, numberId, provider, fromNumber, peerNumber, conversationId: ports.conversationOf(numberId, peerNumber), startedAt: now, createdAt: now }
}

/** Starts an outbound call; its first answer is the answer to PlaceCall. */
export function placeCall(world: NumberWorld, effect: NumberEffect & { type: 'placeCall' }, gone: Gone): void {
  const { callId, askId, to, bizOpaqueCallbackData, sdp } = effect
  const ref = start(world, { ...factsOf(world, effect.number, to), id: callId, direction: 'OUTBOUND', bizOpaqueCallbackData }, gone)
  void ref.ask<PlacedCall>((startAskId) => ({ type: 'StartOutbound', askId: startAskId, sdp: sdp ?? null }), LONG_ASK_TIMEOUT_MS).then((outcome) => {
    const answer: Outcome<PlacedCall> = outcome === STOPPED ? fail(refuse('INTERNAL', 'Internal error')) : outcome
    world.self.reply(askId, answer)
  })
}

/** Starts an inbound call: from the peer (caller) to the number. */
export function takeCall(world: NumberWorld, effect: NumberEffect & { type: 'takeCall' }, gone: Gone): void {
  const { callId, externalCallId, from, sdp, seq, at, rejection } = effect
  const facts = factsOf(world, effect.number, peerOf(from))
  const ref = start(world, { ...facts, startedAt: at ?? facts.startedAt, id: callId, direction: 'INBOUND', bizOpaqueCallbackData: null }, gone)
  ref.tell({ type: 'StartInbound', seq, externalCallId, sdp, rejection })
}

/** Digits; a user who hides the number has an id of upstream's, which holds letters and is kept as it is (our choice). */
function peerOf(from: string): string {
  return toDigits(from) ?? (/[a-z]/i.test(from) ? from : from.replaceAll(/\D/g, ''))
}

/** Takes a live call up again from its row. */
export function resumeCall(world: NumberWorld, { call }: NumberEffect & { type: 'resumeCall' }, gone: Gone): void {
  start(world, factsOfRow(call), gone).tell({ type: 'Resume', call })
}
