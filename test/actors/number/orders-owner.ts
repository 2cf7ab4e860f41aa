import { isSilent } from '../../../actors/number/link/opening.ts'
import type { NumberMessage, NumberTimer } from '../../../actors/number/messages.ts'
import type { NumberEffect, NumberState, ReadyNumber, Step, StopReason } from '../../../actors/number/state.ts'
import type { NumberSettings } from '../../../src/domain/number.ts'
import type { PairingCode } from '../../../src/domain/pairing.ts'
import type { Told } from './stored-number.ts'

/** What a number that leaves begins no more. */
const WORK: ReadonlySet<string> = new Set<NumberEffect['type']>([
  'openSession',
  'placeCall',
  'takeCall',
  'resumeCall',
  'receiveMessage',
  'reportStatus',
  'changeMessage',
  'namePeer',
  'tellVote',
  'readChanges',
  'wakeSending',
])

/** What keeps a number in memory. */
const KEEPS: ReadonlySet<string> = new Set(['save', 'askDevice', 'settleChanges', 'setChangeAside'])

/** What ends a number in any state, with all that waits. */
const ENDS: ReadonlySet<string> = new Set(['Fenced', 'Crashed'])

const ANSWERED = [
  'load',
  'save',
  'readCredentials',
  'readChanges',
  'settleChanges',
  'setChangeAside',
  'applySettings',
  'logout',
  'requestPairingCode',
  'listCalls',
  'sweep',
  'askDevice',
  'receiveMessage',
  'placeCall',
] as const
/** What is asked of rows, device and upstream, whose outcome comes back. */
export type Answerable = NumberEffect & { type: (typeof ANSWERED)[number] }

/** Whether the outcome of an effect comes back. */
export function isAnswerable(effect: NumberEffect): effect is Answerable {
  return (ANSWERED as readonly string[]).includes(effect.type)
}

/** The session of an owner with the device. */
export interface Session {
  readonly id: number
  settings: NumberSettings
  /** The codes that it showed and did not withdraw, and until when they hold. */
  readonly codes: Map<string, { readonly seq: number; readonly untilMs: number }>
  /** The events that it told. */
  readonly told: Set<number>
}

/** A call whose actor runs under an owner, with what it was told and did not store yet. */
export interface Child {
  readonly callId: `call_${string}`
  /** True when an earlier one stored its row, and is gone. */
  readonly isSecond: boolean
  readonly told: { readonly seq: number; readonly isEnd: boolean }[]
  /** The ask that it answers once upstream named it; null otherwise. */
  askId: number | null
}

/** One who holds the number: what it decided, and what it asked for that nobody answered yet. */
export class Owner {
  state: NumberState
  readonly token: number
  readonly underWay: Answerable[] = []
  readonly timers = new Map<NumberTimer, number>()
  readonly children = new Map<string, Child>()
  session: Session | null = null
  /** What sending was last told. */
  sending: 'awake' | 'shut' = 'shut'
  stopped: StopReason | null = null
  isDead = false

  constructor(state: NumberState, token: number) {
    this.state = state
    this.token = token
  }

  get isRunning(): boolean {
    return this.stopped === null && !this.isDead
  }
}

/** Only a code that the session shows now is answered. */
export function assertShown({ session }: Owner, { qr }: PairingCode, nowMs: number): void {
  if (qr === null) return
  const shown = session?.codes.get(qr)
  if (!shown || shown.untilMs <= nowMs) throw new Error('a code is answered that is not shown')
}

/** A code holds from when it was shown, until its time is over or a phone accepted it ([pairing.routes.8]). */
export function noteSettled({ codes }: Session, event: Told, nowMs: number): void {
  if (event.type === 'qr' && codes.has(event.qr))
    codes.set(event.qr, { seq: event.seq, untilMs: nowMs + event.expiresInMs })
  if (event.type === 'state' && event.state === 'CONNECTING')
    for (const [qr, code] of codes) if (code.seq < event.seq) codes.delete(qr)
}

/** Whether messages wait: for the rows, for a write, or for the first report of the platform. */
function isWaiting(state: NumberState): boolean {
  return state.at === 'LOADING' || (state.at === 'READY' && (state.write !== null || isSilent(state)))
}

/** What is true of each decision, whatever was decided. */
export function assertDecided(before: NumberState, message: NumberMessage, { state, effects, replies }: Step): void {
  // A timer that is started anew no longer fires for its earlier time.
  const waited = [...before.stash, message].filter(({ type }) => type !== 'TimerFired')
  const waits = state.stash.filter((one) => waited.includes(one))
  const from = waited.indexOf(waits[0] ?? message)
  if (waits.some((one, at) => one !== waited[from + at])) throw new Error('messages change their order')
  const isWriting =
    before.at === 'READY' && before.write !== null && state.at === 'READY' && state.write === before.write
  if (isWriting && waits.length < waited.length - 1) throw new Error('a message that waits is dropped')
  if (state.stash.length > 0 && !isWaiting(state)) throw new Error('messages wait for nothing')
  if (before.at === 'STOPPED' && effects.length > 0) throw new Error('a number that stopped goes on')
  if (before.at !== 'STOPPED' && state.at === 'STOPPED' && effects.filter(({ type }) => type === 'stop').length !== 1)
    throw new Error('a number does not stop once')
  const isLost = message.type === 'Saved' ? message.outcome !== 'applied' : ENDS.has(message.type)
  if (state.at === 'STOPPED' && before.at !== 'STOPPED' && isLost) {
    const asked = before.stash.flatMap((one) => ('askId' in one && one.type !== 'DeviceAnswered' ? [one.askId] : []))
    if (asked.some((askId) => !replies.some((reply) => reply.askId === askId)))
      throw new Error('a command that waited is not refused')
  }
  if (isFenced(before, message)) assertLeft(state, effects)
  if (before.at !== 'READY') return
  const begun = effects.find(({ type }) => WORK.has(type))
  if (before.leaving && begun) throw new Error(`a number that leaves begins to ${begun.type}`)
  const isStale = message.type === 'Session' && (before.link.at !== 'UP' || before.link.sessionId !== message.sessionId)
  if (isStale && !isWaiting(before) && effects.some(({ type }) => type !== 'startTimer'))
    throw new Error('an earlier session is heard')
}

/** Whether this says that another one owns the number. */
function isFenced(before: NumberState, message: NumberMessage): boolean {
  if (message.type === 'Fenced') return before.at !== 'STOPPED'
  if (before.at !== 'READY' || !('outcome' in message) || message.outcome !== 'fenced') return false
  if (message.type === 'Saved') return before.write?.attempt === message.attempt
  return message.type === 'ChangesSettled' && !isWaiting(before) && before.inbox.settling === message.attempt
}

/** Nothing is written, settled or begun any more by one who lost the number. */
function assertLeft(state: NumberState, effects: Step['effects']): void {
  if (state.at !== 'STOPPED') throw new Error('a number of another node goes on')
  const others = effects.filter(({ type }) => type !== 'stop' && type !== 'endCalls')
  if (others.length > 0) throw new Error(`a number of another node goes on to ${others.map(({ type }) => type).join()}`)
}

/** What is true of one who holds the number, between two decisions. */
export function assertHolds({ state, underWay, timers, children, session, sending }: Owner): void {
  const saves = underWay.filter(({ type }) => type === 'save')
  if (state.at !== 'READY') {
    if (saves.length > 0 || !underWay.some(({ type }) => type === 'load'))
      throw new Error(`${state.at} waits for nothing`)
    return
  }
  const settles = underWay.filter(({ type }) => type === 'settleChanges' || type === 'setChangeAside')
  if (saves.length > 1 || settles.length > 1) throw new Error('several writes are under way')
  const isNeeded = underWay.some(
    (effect) => KEEPS.has(effect.type) || (effect.type === 'logout' && effect.attempt === state.logoutAttempt),
  )
  if (timers.has('idle') && (children.size > 0 || isNeeded))
    throw new Error('a number that is needed waits to leave memory')
  if (state.write && saves.length === 0) throw new Error('a write was never begun')
  if (state.link.at === 'UP' && session?.id !== state.link.sessionId) throw new Error('the session is another one')
  if (state.write) return
  if (state.link.at === 'NONE' && session !== null) throw new Error('a session outlives its link')
  assertTimers(state, timers)
  const isConnected = state.number.state === 'OPEN' && state.link.at === 'UP' && !state.leaving
  if (sending === 'awake' && !isConnected) throw new Error(`sending goes on at ${state.number.state}`)
  if (isSilent(state)) return
  const known = [...state.calls.keys()].toSorted().join()
  if (known !== [...children.keys()].toSorted().join()) throw new Error('the calls are others than it knows')
  const isSwept = state.leaving !== null || timers.has('sweep') || underWay.some(({ type }) => type === 'sweep')
  if (state.parked.length > 0 && ![...state.calls.values()].includes(null) && !isSwept)
    throw new Error('events of calls wait for nothing')
}

function assertTimers({ number, link, isAnnounced, leaving }: ReadyNumber, timers: Owner['timers']): void {
  const waiters = link.at === 'UP' ? link.waiters : []
  const patient = [...timers.keys()].filter((timer) => timer.startsWith('pair:')).toSorted()
  const wanted = waiters.map((askId) => `pair:${askId}`).toSorted()
  if (patient.join() !== wanted.join()) throw new Error(`${waiters.join()} wait for a code, with ${patient.join()}`)
  if (timers.has('disconnected') && number.state === 'OPEN')
    throw new Error('a connected number waits to be disconnected')
  if (number.state === 'CONNECTING' && isAnnounced && !leaving && !timers.has('disconnected'))
    throw new Error('nobody will hear that the number is not connected')
}
