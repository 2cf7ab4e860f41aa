import type { CallId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Self } from '../runtime.ts'
import { placeCall, resumeCall, settle, takeCall } from './call-starts.ts'
import { readChanges, settleChange } from './changes.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import { closeOrphans } from './orphans.ts'
import { persist } from '../persist.ts'
import { load, save } from './rows.ts'
import { createSettleLine } from './settle-line.ts'
import type { NumberEffect, StopReason } from './state.ts'
import type { NumberPorts, NumberWorld } from './world.ts'

/** our choice: a number that stops waits this long for its calls' last words before it closes its session under them. */
const LAST_WORDS_MS = 5_000

export interface NumberEffects {
  run(effect: NumberEffect): void
}

/** Does the effects of one number and tells it their outcomes. The only part of a number that touches ports. */
export function createNumberEffects(ports: NumberPorts, self: Self<NumberMessage>): NumberEffects {
  const world: NumberWorld = { ports, self, calls: new Map(), timers: new Map(), open: null, ackedSeq: 0, stopping: null, isFinished: false }
  return { run: (effect) => run(world, effect) }
}

function run(world: NumberWorld, effect: NumberEffect): void {
  switch (effect.type) {
    case 'load':
      void load(world).then((outcome) => world.self.tell({ type: 'Loaded', attempt: effect.attempt, outcome }))
      return
    case 'save':
      void save(world, effect).then((outcome) => world.self.tell({ type: 'Saved', attempt: effect.attempt, outcome }))
      return
    case 'openSession': return openSession(world, effect)
    case 'closeSession': return closeSession(world)
    case 'settle': return settle(world, world.open, effect.seq)
    case 'applySettings':
    case 'logout':
    case 'terminateOrphan':
      return askSession(world, effect)
    case 'consumePairing':
      void persist(world.ports, 'consume pairing links', () => world.ports.pairings.consume(world.ports.fence.numberId))
      return
    case 'placeCall': return placeCall(world, effect, (stopped, isStored) => callGone(world, stopped, isStored))
    case 'takeCall': return takeCall(world, effect, (stopped, isStored) => callGone(world, stopped, isStored))
    case 'resumeCall': return resumeCall(world, effect, (stopped, isStored) => callGone(world, stopped, isStored))
    case 'readChanges':
    case 'settleChange':
    case 'reportFailing':
      return changeEffect(world, effect)
    case 'tellCall': return tellCall(world, effect)
    case 'endCalls': return endCalls(world, effect.how)
    case 'sweep':
      void closeOrphans(world.ports, 'INTERNAL_ERROR', effect.except)
        .then((closing) => world.self.tell({ type: 'Swept', isDone: closing.kind !== 'failed', resumable: closing.kind === 'closed' ? closing.resumable : [] }))
      return
    case 'startTimer': return startTimer(world, effect.timer, effect.delayMs)
    case 'cancelTimer': return cancelTimer(world, effect.timer)
    case 'stop': return stop(world, effect.why)
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

function openSession(world: NumberWorld, effect: NumberEffect & { type: 'openSession' }): void {
  closeSession(world)
  const { sessionId, number, credentials } = effect
  const driver = world.ports.registry.driver(number.provider)
  if (!driver) return
  const line = createSettleLine()
  const session = driver.openSession({
    numberId: number.id, number: number.number, credentials, settings: number.settings,
    historyImport: number.settings.historyImportEnabled, ackedSeq: world.ackedSeq,
  }, (event) => {
    if ('seq' in event) line.saw(event.seq)
    if (event.type === 'state' && event.state === 'CLOSE') {
      world.ports.log.warn({ numberId: number.id, reason: event.reason }, 'device session closed')
    }
    world.self.tell({ type: 'Session', sessionId, event, callId: event.type === 'incomingCall' ? newId('call') : null })
  })
  world.open = { sessionId, session, line }
}

function closeSession(world: NumberWorld): void {
  world.open?.session.close()
  world.open = null
}

type SessionEffect = NumberEffect & { readonly type: 'applySettings' | 'logout' | 'terminateOrphan' }

function askSession({ open, self, ports }: NumberWorld, effect: SessionEffect): void {
  if (!open) {
    // Closed since the decision: there is nothing to wait for.
    if (effect.type === 'logout') self.tell({ type: 'LoggedOut', attempt: effect.attempt })
    if (effect.type === 'applySettings') self.reply(effect.askId, { ok: true, value: null })
    return
  }
  const { numberId } = ports.fence
  const report = (operation: string, code: string) => ports.log.warn({ numberId, operation, code }, 'provider refused')
  switch (effect.type) {
    case 'applySettings':
      void open.session.applySettings(effect.settings)
        .then((outcome) => self.tell({ type: 'SettingsApplied', askId: effect.askId, outcome }))
      return
    case 'logout':
      void open.session.logout().then((outcome) => {
        if (!outcome.ok) report('logout', outcome.error.code)
        self.tell({ type: 'LoggedOut', attempt: effect.attempt })
      })
      return
    case 'terminateOrphan':
      void open.session.terminateCall(effect.externalCallId).then((outcome) => {
        if (!outcome.ok) report('terminate', outcome.error.code)
      })
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
  if (world.stopping && world.calls.size === 0) finish(world, world.stopping)
}

/** A fenced number closes its session at once: the next owner opens its own. Else calls may still hang up over it. */
function stop(world: NumberWorld, why: StopReason): void {
  for (const timer of world.timers.values()) timer.cancel()
  world.timers.clear()
  if (world.stopping) return
  world.stopping = why
  world.self.stop()
  if (why === 'fenced' || world.calls.size === 0) finish(world, why)
  else world.timers.set('idle', world.ports.clock.after(LAST_WORDS_MS, () => finish(world, why)))
}

function finish(world: NumberWorld, why: StopReason): void {
  if (world.isFinished) return
  world.isFinished = true
  for (const timer of world.timers.values()) timer.cancel()
  world.timers.clear()
  closeSession(world)
  world.ports.stopped(why)
}
