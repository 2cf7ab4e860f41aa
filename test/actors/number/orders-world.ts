import { decide } from '../../../actors/number/decide.ts'
import type { ReadChange, ReadEvent } from '../../../actors/number/changes/messages.ts'
import type { NumberMessage } from '../../../actors/number/messages.ts'
import type { LoadOutcome } from '../../../actors/number/rows/messages.ts'
import type { NumberEffect, Reply } from '../../../actors/number/state.ts'
import { initialState } from '../../../actors/number/state.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import type { ProviderKind } from '../../../src/domain/number.ts'
import type { PairingCode } from '../../../src/domain/pairing.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { assertDecided, assertShown, noteSettled, Owner } from './orders-owner.ts'
import { type Answerable, type Child, isAnswerable } from './orders-owner.ts'
import { DISCONNECTED_MS, type Luck, StoredNumber, type Told } from './stored-number.ts'

const TIMES = { disconnectedMs: DISCONNECTED_MS, idleMs: 60_000, sweepMs: 5_000 }
/** Within this many ms every command is answered, by the runtime at the latest. */
const ASK_MS = 10_000
const NO = refuse('DEVICE_NETWORK_ERROR', 'no')
/** Commands that the next owner may not do again, so that they get an answer of their own. */
const ONCE: ReadonlySet<string> = new Set(['Logout', 'Remove'])

interface Asked {
  readonly type: string
  readonly owner: Owner
  readonly atMs: number
  answers: number
}

/** The rows of a number, its device and its calls, beside whoever holds it. */
export class World {
  readonly store: StoredNumber
  readonly kind: ProviderKind
  nowMs = 1_000_000
  owner: Owner
  readonly former: Owner[] = []
  /** What the device told, which comes again until it is settled. */
  readonly told = new Map<number, Told>()
  readonly asks = new Map<number, Asked>()
  /** Once true, something may have to be tried again. */
  hadMishap = false
  /** What reads of changes found when they were begun. */
  readonly #read = new Map<NumberEffect, readonly ReadChange[]>()
  #seq = 0
  #ids = 0

  constructor(kind: ProviderKind, isPaired: boolean) {
    this.kind = kind
    this.store = new StoredNumber(kind, isPaired)
    this.owner = new Owner(initialState('num_1', TIMES), this.store.token)
    this.say(this.owner, { type: 'Start' })
  }

  /** Whether upstream tells by webhook, as the platform does. */
  get isStateless(): boolean {
    return kindOf({ provider: this.kind }).isStateless
  }

  get owners(): readonly Owner[] {
    return [...this.former, this.owner]
  }

  /** Another owner has the number: nothing of this one reaches the rows any more. */
  isStale({ token }: Owner): boolean {
    return token !== this.store.token
  }

  /** The number runs again, here or elsewhere: its lease was given back or is over, so it has a new token. */
  restart(): void {
    this.store.token++
    this.former.push(this.owner)
    this.owner = new Owner(initialState('num_1', TIMES), this.store.token)
    this.say(this.owner, { type: 'Start' })
  }

  /** Somebody asks something of the number, which runs for that. */
  ask(make: (askId: number) => NumberMessage): void {
    if (!this.owner.isRunning) this.restart()
    const askId = this.asks.size + 1
    const message = make(askId)
    this.asks.set(askId, { type: message.type, owner: this.owner, atMs: this.nowMs, answers: 0 })
    this.say(this.owner, message)
  }

  /** The process of the owner is gone. */
  kill(): void {
    const { owner } = this
    this.hadMishap = true
    owner.isDead = true
    owner.underWay.length = 0
    owner.timers.clear()
    owner.children.clear()
    for (const asked of this.asks.values()) if (asked.owner === owner && asked.answers === 0) asked.answers++
  }

  /** A webhook of upstream is stored. */
  addChange(event: ReadEvent): void {
    const position = this.nextId()
    const named = event.type === 'incomingCall' ? { ...event, callId: `call_${position}` as const } : event
    this.store.changes.push({ position, receivedAt: new Date(0), events: [named], fault: null })
  }

  /** A number that no call, change or text had before. */
  nextId(): number {
    return ++this.#ids
  }

  /** The device tells something over the open session. */
  raise(make: (seq: number) => ProviderEvent): void {
    const event = make(this.#seq + 1)
    if (!('seq' in event)) return this.#heard(event)
    this.#seq = event.seq
    this.told.set(event.seq, event)
    this.hear(event)
  }

  /** The device tells an event, maybe once more. */
  hear(event: Told): void {
    const { session } = this.owner
    if (!session) return
    session.told.add(event.seq)
    // How long it holds counts from when it is shown.
    if (event.type === 'qr') session.codes.set(event.qr, { seq: event.seq, untilMs: Infinity })
    this.#heard(event)
  }

  #heard(event: ProviderEvent): void {
    const { session } = this.owner
    if (!session) return
    const callId = event.type === 'incomingCall' ? (`call_${this.nextId()}` as const) : null
    this.say(this.owner, { type: 'Session', sessionId: session.id, event, callId })
  }

  /** An owner hears something, decides on it and does what follows. */
  say(owner: Owner, message: NumberMessage): void {
    if (!owner.isRunning) return
    const made = decide(owner.state, message, this.nowMs)
    assertDecided(owner.state, message, made)
    owner.state = made.state
    for (const reply of made.replies) this.#answered(owner, reply)
    for (const effect of made.effects) this.#run(owner, effect)
  }

  #answered(owner: Owner, { askId, outcome }: Reply): void {
    const asked = this.asks.get(askId)
    if (!asked || asked.owner !== owner) throw new Error(`nobody asked ${askId} of this owner`)
    if (++asked.answers > 1) throw new Error(`${asked.type} is answered twice`)
    if (!outcome.ok) return
    if (asked.type === 'Pair' || asked.type === 'CurrentCode')
      assertShown(owner, outcome.value as PairingCode, this.nowMs)
    if (asked.type === 'Logout' && !this.isStale(owner)) this.store.assertLoggedOut()
    if (asked.type === 'Remove') this.store.remove()
  }

  #run(owner: Owner, effect: NumberEffect): void {
    if (isAnswerable(effect)) owner.underWay.push(effect)
    if (effect.type === 'readChanges') this.#read.set(effect, [...this.store.changes])
    switch (effect.type) {
      case 'startTimer':
        return void owner.timers.set(effect.timer, this.nowMs + effect.delayMs)
      case 'cancelTimer':
        return void owner.timers.delete(effect.timer)
      case 'save':
        return this.store.beginSave(effect, this.nowMs)
      case 'openSession':
        owner.session = { id: effect.sessionId, settings: effect.number.settings, codes: new Map(), told: new Set() }
        return
      case 'closeSession':
        owner.session = null
        return
      case 'wakeSending':
        owner.sending = 'awake'
        return
      case 'shutSending':
        owner.sending = 'shut'
        return
      case 'settle':
        return this.settle(owner, effect.seq)
      case 'stop':
        return this.#stop(owner, effect.why)
      default:
        return this.#runCalls(owner, effect)
    }
  }

  #startCall(owner: Owner, effect: NumberEffect & { type: 'placeCall' | 'takeCall' }): void {
    const { calls } = this.store
    const { callId } = effect
    const isOut = effect.type === 'placeCall'
    const externalCallId = isOut ? null : effect.externalCallId
    const same = [...calls.values()].find(({ call }) => !isOut && call.externalCallId === externalCallId)
    if (same && owner.children.has(same.call.id)) throw new Error('a call is taken that is taken')
    const told = isOut ? [] : [{ seq: effect.seq, isEnd: false }]
    owner.children.set(callId, { callId, told, askId: isOut ? effect.askId : null, isSecond: same !== undefined })
    const call = isOut
      ? ({ id: callId, externalCallId, direction: 'OUTBOUND', status: 'INITIATED' } as const)
      : ({ id: callId, externalCallId, direction: 'INBOUND', status: 'RINGING' } as const)
    if (this.store.row && !this.isStale(owner) && !same) calls.set(callId, { call, isLive: true })
  }

  #runCalls(owner: Owner, effect: NumberEffect): void {
    const { children } = owner
    if (effect.type === 'placeCall' || effect.type === 'takeCall') this.#startCall(owner, effect)
    if (effect.type === 'resumeCall') {
      if (children.has(effect.call.id)) throw new Error('a call is resumed that runs')
      children.set(effect.call.id, { callId: effect.call.id, told: [], askId: null, isSecond: false })
    }
    if (effect.type === 'tellCall' && 'seq' in effect.message) {
      const child = children.get(effect.callId)
      if (child) child.told.push({ seq: effect.message.seq, isEnd: effect.message.type === 'ProviderEnded' })
      // The number does not know yet that the call is gone. What its row does not say comes again.
      else if (!this.store.calls.get(effect.callId)?.isLive) this.settle(owner, effect.message.seq)
    }
    if (effect.type === 'endCalls') for (const child of children.values()) this.#endCall(owner, child, effect.how)
  }

  #endCall(owner: Owner, child: Child, how: string): void {
    const isLeft = how === 'fence' || how === 'leave' || this.kind === 'OFFICIAL'
    // A call that hangs up stores its end first.
    if (how !== 'hangup') this.endCall(owner, child, isLeft ? 'left' : 'stored')
  }

  /** The actor of a call is gone: its end is stored, could not be stored, or the next owner goes on with it. */
  endCall(owner: Owner, child: Child, how: 'stored' | 'failed' | 'left'): void {
    if (!owner.children.delete(child.callId)) return
    const known = this.store.calls.get(child.callId)
    if (child.askId !== null) this.#answered(owner, { askId: child.askId, outcome: fail(NO) })
    if (how === 'stored' && !this.isStale(owner)) {
      if (known) known.isLive = false
      for (const { seq } of child.told) this.settle(owner, seq)
    }
    if (how === 'failed') this.hadMishap = true
    this.say(owner, { type: 'CallStopped', callId: child.callId, isStored: how !== 'failed' })
  }

  /** A call stores what it was told, and is over once it was told of its end. */
  storeCall(owner: Owner, child: Child): void {
    if (child.isSecond || child.told.some(({ isEnd }) => isEnd)) return this.endCall(owner, child, 'stored')
    for (const { seq } of child.told.splice(0)) this.settle(owner, seq)
  }

  /** The outcome of an event is stored. */
  settle(owner: Owner, seq: number): void {
    if (seq < 0) return this.say(owner, { type: 'EventSettled', seq })
    const event = this.told.get(seq)
    if (!event || !owner.session?.told.has(seq) || this.isStale(owner)) return
    this.store.assertSettled(event)
    noteSettled(owner.session, event, this.nowMs)
    this.told.delete(seq)
  }

  #stop(owner: Owner, why: Owner['stopped']): void {
    owner.stopped = why
    owner.timers.clear()
    const isOrderly = why === 'removed' || why === 'drained' || why === 'passivated'
    for (const asked of this.asks.values()) {
      if (asked.owner !== owner || asked.answers > 0) continue
      const isLate = this.nowMs - asked.atMs >= ASK_MS
      if ((why === 'passivated' && !isLate) || (isOrderly && ONCE.has(asked.type)))
        throw new Error(`${asked.type} is left at the stop`)
      // The runtime tells whoever still waits.
      asked.answers++
    }
    const isCalm = !this.hadMishap && !this.isStale(owner)
    if (why === 'passivated' && isCalm && this.store.changes.length > 0)
      throw new Error('a number leaves memory over changes that it was told of')
    if (isOrderly && owner.children.size > 0) throw new Error('a number leaves its calls')
    if (why === 'crashed') this.hadMishap = true
    owner.children.clear()
    owner.session = null
  }

  /** Something that is under way comes to its end. */
  answer(owner: Owner, index: number, luck: Luck): void {
    const [effect] = owner.underWay.splice(index % owner.underWay.length, 1)
    if (!effect) return
    if (luck !== 'done') this.hadMishap = true
    const isStale = this.isStale(owner)
    const message = this.#outcomeOf(owner, effect, isStale ? 'refused' : luck, isStale)
    if (message) this.say(owner, message)
  }

  #outcomeOf(owner: Owner, effect: Answerable, luck: Luck, isStale: boolean): NumberMessage | null {
    const isDone = luck === 'done'
    const outcome: Outcome<null> = isDone ? succeed(null) : fail(NO)
    switch (effect.type) {
      case 'load':
        return { type: 'Loaded', attempt: effect.attempt, outcome: this.#loaded(luck, isStale) }
      case 'save':
        return { type: 'Saved', attempt: effect.attempt, outcome: this.store.save(effect, owner, luck) }
      case 'readCredentials':
        return { ...effect, type: 'CredentialsRead', read: isDone ? { credentials: this.store.credentials } : null }
      case 'applySettings':
        if (isDone && owner.session) owner.session.settings = effect.settings
        return { type: 'SettingsApplied', askId: effect.askId, outcome }
      case 'logout':
        return { type: 'LoggedOut', attempt: effect.attempt }
      case 'requestPairingCode':
        return { type: 'PairingCodeAsked', sessionId: effect.sessionId, isOk: isDone }
      case 'askDevice':
        return this.#askedDevice(owner, effect.command.askId, outcome)
      default:
        return this.#outcomeOfWork(owner, effect, luck, isStale)
    }
  }

  #loaded(luck: Luck, isStale: boolean): LoadOutcome {
    if (isStale) return { kind: 'fenced' }
    return luck === 'done' ? this.store.load() : { kind: 'failed' }
  }

  #askedDevice(owner: Owner, askId: number, outcome: Outcome<null>): NumberMessage {
    if (owner.isRunning) this.#answered(owner, { askId, outcome })
    return { type: 'DeviceAnswered', askId }
  }

  #outcomeOfWork(
    owner: Owner,
    effect: Exclude<
      Answerable,
      { type: 'load' | 'save' | 'readCredentials' | 'applySettings' | 'logout' | 'requestPairingCode' | 'askDevice' }
    >,
    luck: Luck,
    isStale: boolean,
  ): NumberMessage | null {
    const { calls } = this.store
    const isDone = luck === 'done'
    switch (effect.type) {
      case 'readChanges': {
        const read = (this.#read.get(effect) ?? []).filter(({ position }) => position > effect.after)
        return { type: 'ChangesRead', attempt: effect.attempt, changes: isDone ? read : null }
      }
      case 'settleChanges':
      case 'setChangeAside':
        return this.#settled(effect, luck, isStale)
      case 'listCalls': {
        const live = [...calls.values()].filter(({ isLive, call }) => isLive && call.externalCallId !== null)
        const listed = live.map(({ call: { id, externalCallId } }) => ({
          externalCallId: externalCallId ?? '',
          callRef: id,
          isConnected: false,
        }))
        return { type: 'CallsListed', sessionId: effect.sessionId, outcome: isDone ? succeed(listed) : fail(NO) }
      }
      case 'sweep':
        return { type: 'Swept', isDone, resumable: isDone ? this.store.closeCalls(effect.except) : [] }
      case 'receiveMessage':
        // A message that cannot be stored is tried again, or set aside.
        if (luck === 'done' || luck === 'faulty') this.settle(owner, effect.seq)
        else if (!isStale) owner.underWay.push(effect)
        return null
      case 'placeCall':
        return this.#placed(owner, effect.callId, isDone)
    }
  }

  #settled(
    effect: Answerable & { type: 'settleChanges' | 'setChangeAside' },
    luck: Luck,
    isStale: boolean,
  ): NumberMessage {
    const fault = luck === 'faulty' ? { reason: '23514', tries: 4 } : null
    const positions = effect.type === 'settleChanges' ? effect.positions : [effect.position]
    const told = { type: 'ChangesSettled', attempt: effect.attempt, positions, fault } as const
    if (isStale) return { ...told, outcome: 'fenced' }
    if (luck === 'refused' || luck === 'faulty') return { ...told, outcome: 'failed' }
    const outcome = this.store.settleChanges(positions)
    return { ...told, outcome: luck === 'lost' ? 'failed' : outcome }
  }

  /** Upstream names a call, or refuses it. */
  #placed(owner: Owner, callId: `call_${string}`, isDone: boolean): NumberMessage | null {
    const child = owner.children.get(callId)
    const known = this.store.calls.get(callId)
    if (!child || !known) return null
    const externalCallId = `ext-${callId}`
    if (!isDone) {
      this.say(owner, { type: 'CallOffered', callId, externalCallId: null })
      this.endCall(owner, child, 'stored')
      return null
    }
    this.store.calls.set(callId, { ...known, call: { ...known.call, externalCallId } })
    if (child.askId !== null) this.#answered(owner, { askId: child.askId, outcome: succeed({ id: callId }) })
    child.askId = null
    return { type: 'CallOffered', callId, externalCallId }
  }

  /** Time passes, and timers fire when they are due. */
  pass(byMs: number): void {
    this.nowMs += byMs
    for (const owner of this.owners)
      for (const [timer, dueMs] of owner.timers) {
        if (dueMs > this.nowMs || !owner.timers.has(timer)) continue
        owner.timers.delete(timer)
        this.say(owner, { type: 'TimerFired', timer })
      }
  }
}
