import type { CallId } from '../../src/domain/ids.ts'
import type { Self } from '../runtime.ts'
import { persist } from '../persist.ts'
import { placeCall, resumeCall, settle, takeCall } from './call-starts.ts'
import { readChanges, settleChange } from './changes.ts'
import { askDevice, refuseDeviceAsks } from './device-asks.ts'
import { emptyMessageWorld } from './message-world.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import { closeOrphans } from './orphans.ts'
import { createReceiving } from './receiving-effects.ts'
import { load, save } from './rows.ts'
import { stopSending, tellSending, wakeSending } from './sending-starts.ts'
import { askSession, closeSession, openSession } from './session-effects.ts'
import type { NumberEffect, StopReason } from './state.ts'
import type { NumberPorts, NumberWorld } from './world.ts'

/** our choice: a number that stops waits this long for the last words of its calls and sends before it closes its session under them. */
const LAST_WORDS_MS = 5_000

export interface NumberEffects {
  run(effect: NumberEffect): void
}

/** Does the effects of one number and tells it their outcomes. The only part of a number that touches ports. */
export function createNumberEffects(ports: NumberPorts, self: Self<NumberMessage>): NumberEffects {
  const world: NumberWorld = {
    ...emptyMessageWorld(), ports, self, calls: new Map(), timers: new Map(),
    open: null, opening: null, ackedSeq: 0, stopping: null, isFinished: false,
  }
  return { run: (effect) => run(world, effect) }
}

function run(world: NumberWorld, effect: NumberEffect): void {
  switch (effect.type) {
    case 'load':
    case 'save':
    case 'consumePairing':
    case 'sweep':
      return rowEffect(world, effect)
    case 'openSession': return openSession(world, effect)
    case 'closeSession': return closeSession(world)
    case 'settle': return settle(world, world.open, effect.seq)
    case 'applySettings':
    case 'logout':
    case 'terminateOrphan':
      return askSession(world, effect)
    case 'placeCall':
    case 'takeCall':
    case 'resumeCall':
      return startCall(world, effect)
    case 'readChanges':
    case 'settleChange':
    case 'reportFailing':
      return changeEffect(world, effect)
    case 'receiveMessage':
    case 'reportStatus':
    case 'wakeSending':
    case 'shutSending':
    case 'askDevice':
      return messageEffect(world, effect)
    case 'tellCall': return tellCall(world, effect)
    case 'endCalls': return endCalls(world, effect.how)
    case 'startTimer': return startTimer(world, effect.timer, effect.delayMs)
    case 'cancelTimer': return cancelTimer(world, effect.timer)
    case 'stop': return stop(world, effect.why)
  }
}

function rowEffect(world: NumberWorld, effect: NumberEffect & { type: 'load' | 'save' | 'consumePairing' | 'sweep' }): void {
  const { ports, self } = world
  switch (effect.type) {
    case 'load':
      void load(world).then((outcome) => self.tell({ type: 'Loaded', attempt: effect.attempt, outcome }))
      return
    case 'save':
      void save(world, effect).then((outcome) => self.tell({ type: 'Saved', attempt: effect.attempt, outcome }))
      return
    case 'consumePairing':
      void persist(ports, 'consume pairing links', () => ports.pairings.consume(ports.fence.numberId))
      return
    case 'sweep':
      void closeOrphans(ports, 'INTERNAL_ERROR', effect.except)
        .then((closing) => self.tell({ type: 'Swept', isDone: closing.kind !== 'failed', resumable: closing.kind === 'closed' ? closing.resumable : [] }))
  }
}

function startCall(world: NumberWorld, effect: NumberEffect & { type: 'placeCall' | 'takeCall' | 'resumeCall' }): void {
  const gone = (callId: CallId, isStored: boolean) => callGone(world, callId, isStored)
  switch (effect.type) {
    case 'placeCall': return placeCall(world, effect, gone)
    case 'takeCall': return takeCall(world, effect, gone)
    case 'resumeCall': return resumeCall(world, effect, gone)
  }
}

type MessageEffect = NumberEffect & { readonly type: 'receiveMessage' | 'reportStatus' | 'wakeSending' | 'shutSending' | 'askDevice' }

function messageEffect(world: NumberWorld, effect: MessageEffect): void {
  switch (effect.type) {
    case 'receiveMessage':
      world.receiving ??= createReceiving(world)
      return world.receiving.receive(effect)
    case 'reportStatus':
      world.receiving ??= createReceiving(world)
      return world.receiving.report(effect)
    case 'wakeSending': return wakeSending(world, effect, () => finishWhenDone(world))
    case 'shutSending': return tellSending(world, { type: 'Shut' })
    case 'askDevice': return askDevice(world, effect.command)
  }
}

function changeEffect({ ports, self }: NumberWorld, effect: NumberEffect & { type: 'readChanges' | 'settleChange' | 'reportFailing' }): void {
  switch (effect.type) {
    case 'readChanges':
      void readChanges(ports, effect.after).then((changes) => self.tell({ type: 'ChangesRead', attempt: effect.attempt, changes }))
      return
    case 'settleChange':
      void settleChange(ports, effect).then((outcome) => self.tell({ type: 'ChangeSettled', attempt: effect.attempt, position: effect.position, outcome }))
      return
    case 'reportFailing':
      ports.log.warn({ numberId: ports.fence.numberId, codes: effect.codes }, 'upstream reports failing calls')
  }
}

/** A call that is gone while the number does not know it yet has stored its end: its later events only need settling. */
function tellCall(world: NumberWorld, { callId, message }: NumberEffect & { type: 'tellCall' }): void {
  const ref = world.calls.get(callId)
  if (ref) ref.tell(message)
  else if ('seq' in message) settle(world, world.open, message.seq)
}

function endCalls({ calls }: NumberWorld, how: (NumberEffect & { type: 'endCalls' })['how']): void {
  for (const call of calls.values()) {
    if (how === 'hangup') call.tell({ type: 'Terminate', askId: null })
    else if (how === 'fence') call.tell({ type: 'Fenced' })
    else call.tell({ type: 'Abandon', reason: how })
  }
}

function startTimer(world: NumberWorld, timer: NumberTimer, delayMs: number): void {
  cancelTimer(world, timer)
  world.timers.set(timer, world.ports.clock.after(delayMs, () => {
    world.timers.delete(timer)
    world.self.tell({ type: 'TimerFired', timer })
  }))
}

function cancelTimer(world: NumberWorld, timer: NumberTimer): void {
  world.timers.get(timer)?.cancel()
  world.timers.delete(timer)
}

function callGone(world: NumberWorld, callId: CallId, isStored: boolean): void {
  world.calls.delete(callId)
  world.ports.callStopped(callId)
  world.self.tell({ type: 'CallStopped', callId, isStored })
  finishWhenDone(world)
}

function finishWhenDone(world: NumberWorld): void {
  if (world.stopping && world.calls.size === 0 && !world.sends.isBusy) finish(world, world.stopping)
}

/**
 * A fenced number closes its session at once: the next owner opens its own. Else calls may still hang up over it, and what was
 * sent may still be answered.
 */
function stop(world: NumberWorld, why: StopReason): void {
  for (const timer of world.timers.values()) timer.cancel()
  world.timers.clear()
  if (world.stopping) return
  world.stopping = why
  refuseDeviceAsks(world)
  world.self.stop()
  stopSending(world, why)
  if (why === 'fenced') finish(world, why)
  else finishWhenDone(world)
  if (!world.isFinished) world.timers.set('idle', world.ports.clock.after(LAST_WORDS_MS, () => finish(world, why)))
}

function finish(world: NumberWorld, why: StopReason): void {
  if (world.isFinished) return
  world.isFinished = true
  for (const timer of world.timers.values()) timer.cancel()
  world.timers.clear()
  closeSession(world)
  world.ports.stopped(why)
}
