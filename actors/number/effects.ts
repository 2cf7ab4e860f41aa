import type { CallId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Timer } from '../../src/ports/clock.ts'
import type { ProviderRegistry, ProviderSession } from '../../src/ports/provider.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import type { PairingStore } from '../../src/ports/stores/pairing-store.ts'
import type { Runtime, Self } from '../runtime.ts'
import { PATIENT_DELAYS_MS, persist } from '../persist.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { CallTimes } from '../call/state.ts'
import { placeCall, resumeCall, settle, takeCall } from './call-starts.ts'
import type { ChangePorts } from './changes.ts'
import { readChanges, settleChange } from './changes.ts'
import { numberEvent } from './event-data.ts'
import type { LoadOutcome, NumberMessage, NumberTimer } from './messages.ts'
import type { OrphanPorts } from './orphans.ts'
import { closeOrphans } from './orphans.ts'
import type { SettleLine } from './settle-line.ts'
import { createSettleLine } from './settle-line.ts'
import type { NumberEffect, StopReason } from './state.ts'

/** The world of a number. */
export interface NumberPorts extends OrphanPorts, ChangePorts {
  readonly runtime: Runtime
  readonly numbers: NumberStore
  readonly pairings: PairingStore
  readonly registry: ProviderRegistry
  readonly callTimes: CallTimes
  callStarted(callId: CallId, ref: CallRef): void
  callStopped(callId: CallId): void
  /** The actor is gone, its session closed and its calls with it. */
  stopped(why: StopReason): void
}

/** our choice: a number that stops waits this long for its calls' last words before it closes its session under them. */
const LAST_WORDS_MS = 5_000

export interface OpenSession {
  readonly sessionId: number
  readonly session: ProviderSession
  readonly line: SettleLine
}

/** What the effects of one number hold: the only mutable things of an actor besides its state. */
export interface NumberWorld {
  readonly ports: NumberPorts
  readonly self: Self<NumberMessage>
  readonly calls: Map<CallId, CallRef>
  readonly timers: Map<NumberTimer, Timer>
  open: OpenSession | null
  /** Highest sequence stored as settled. */
  ackedSeq: number
  stopping: StopReason | null
  isFinished: boolean
}

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

/** Reads the rows and closes what an earlier owner left. */
async function load(world: NumberWorld): Promise<LoadOutcome> {
  const { ports } = world
  const { numberId } = ports.fence
  const row = await persist(ports, 'load number', () => ports.numbers.load(numberId))
  if (row === null) return { kind: 'failed' }
  if (row.value === null) return { kind: 'missing' }
  const secret = await persist(ports, 'load credentials', () => ports.numbers.credentials(numberId))
  if (secret === null) return { kind: 'failed' }
  const closing = await closeOrphans(ports, 'NODE_LOST', [])
  if (closing.kind !== 'closed') return closing
  world.ackedSeq = secret.value.ackedSeq
  return {
    kind: 'loaded',
    loaded: {
      number: row.value,
      credentials: secret.value.credentials,
      hasDriver: ports.registry.driver(row.value.provider) !== null,
      orphans: closing.externalCallIds,
      resumable: closing.resumable,
    },
  }
}

/** Stores a connection change with its event; the event carries the name as it is now. */
async function save(world: NumberWorld, effect: NumberEffect & { type: 'save' }): Promise<'applied' | 'fenced' | 'failed'> {
  const { ports } = world
  const ackedSeq = effect.seq === null ? null : world.open?.line.lineWith(effect.seq) ?? null
  const patch = { ...effect.patch, ...(ackedSeq === null ? {} : { ackedSeq }) }
  const result = await persist(ports, 'save connection', async () => {
    const { announce } = effect
    const name = announce ? (await ports.numbers.load(ports.fence.numberId))?.name : undefined
    const events = announce ? [numberEvent(announce.event, { ...announce.number, name: name ?? announce.number.name })] : []
    return ports.numbers.saveConnection(ports.fence, patch, events)
  }, PATIENT_DELAYS_MS)
  if (result === null) return 'failed'
  // A row that is gone is nobody's to own either.
  if (result.value !== 'applied') return 'fenced'
  if (ackedSeq !== null) world.ackedSeq = ackedSeq
  return 'applied'
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
