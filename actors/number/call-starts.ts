import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { ASK_TIMEOUT_MS, PROVIDER_REQUEST_MS } from '../../src/domain/limits.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import { toDigits } from '../../src/domain/phone.ts'
import type { CallRef } from '../call/call-actor.ts'
import { spawnCall } from '../call/call-actor.ts'
import type { PlacedCall } from '../call/messages.ts'
import type { CallFacts } from '../call/state.ts'
import { STOPPED } from '../runtime.ts'
import type { NumberWorld, OpenSession } from './effects.ts'
import type { NumberEffect } from './state.ts'

/** Asks that reach media host and provider wait for both at their slowest (each MEDIA_REQUEST_MS, PROVIDER_REQUEST_MS), and for rows. */
export const LONG_ASK_TIMEOUT_MS = ASK_TIMEOUT_MS + PROVIDER_REQUEST_MS

type Gone = (callId: CallId, isStored: boolean) => void

/** The outcome of an event is stored. After the session is closed this says nothing: the event comes again. */
export function settle(open: OpenSession | null, seq: number): void {
  open?.line.settle(seq)
  open?.session.settle(seq)
}

/** Spawns a call bound to the session now open: a later session knows neither its id nor its event numbers. */
function start(world: NumberWorld, facts: CallFacts, gone: Gone): CallRef {
  const { ports, self } = world
  const bound = world.open
  const current = () => (bound !== null && world.open === bound ? bound : null)
  const { clock, log, calls, media, fence } = ports
  const ref = spawnCall(ports.runtime, {
    clock, log, calls, media, fence,
    session: () => current()?.session ?? null,
    settle: (seq) => settle(current(), seq),
    offered: (callId, externalCallId) => self.tell({ type: 'CallOffered', callId, externalCallId }),
    stopped: gone,
  }, facts, ports.callTimes)
  world.calls.set(facts.id, ref)
  ports.callStarted(facts.id, ref)
  return ref
}

function factsOf(number: ChannelNumber, nowMs: number) {
  const { tenantId, id: numberId, provider, number: fromNumber } = number
  return { tenantId, numberId, provider, startedAt: new Date(nowMs), own: fromNumber }
}

/** Starts an outbound call; its first answer is the answer to PlaceCall. */
export function placeCall(world: NumberWorld, effect: NumberEffect & { type: 'placeCall' }, gone: Gone): void {
  const { callId, askId, to, bizOpaqueCallbackData } = effect
  const { own, ...facts } = factsOf(effect.number, world.ports.clock.now())
  const ref = start(world, { ...facts, id: callId, direction: 'OUTBOUND', fromNumber: own, peerNumber: to, bizOpaqueCallbackData }, gone)
  void ref.ask<PlacedCall>((startAskId) => ({ type: 'StartOutbound', askId: startAskId }), LONG_ASK_TIMEOUT_MS).then((outcome) => {
    const answer: Outcome<PlacedCall> = outcome === STOPPED ? fail(refuse('INTERNAL', 'Internal error')) : outcome
    world.self.reply(askId, answer)
  })
}

/** Starts an inbound call: from the peer (caller) to the number. */
export function takeCall(world: NumberWorld, effect: NumberEffect & { type: 'takeCall' }, gone: Gone): void {
  const { callId, externalCallId, from, sdp, seq, rejection } = effect
  const { own, ...facts } = factsOf(effect.number, world.ports.clock.now())
  const peerNumber = toDigits(from) ?? from.replaceAll(/\D/g, '')
  const ref = start(world, { ...facts, id: callId, direction: 'INBOUND', fromNumber: own, peerNumber, bizOpaqueCallbackData: null }, gone)
  ref.tell({ type: 'StartInbound', seq, externalCallId, sdp, rejection })
}
