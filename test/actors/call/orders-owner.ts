import { hasOwnLeg } from '../../../actors/call/leg.ts'
import type { CallMessage, CallTimer } from '../../../actors/call/messages.ts'
import type { CallState, Step } from '../../../actors/call/state.ts'
import { type Answerable, isWrite } from './orders-answers.ts'

/** What still comes of messages that waited for the write that ended the call. */
const AFTER_THE_STOP: ReadonlySet<string> = new Set(['settle', 'terminate'])
/** What a call hears before its host handed it over. */
const HEARD_FIRST: ReadonlySet<string> = new Set(['Adopted', 'Crashed', 'Fenced', 'Stored'])

/** One who holds the call: what it decided, and what it asked for that nobody answered yet. */
export class Owner {
  state: CallState
  readonly token: number
  readonly underWay: Answerable[] = []
  /** When its timers are due. */
  readonly timers = new Map<CallTimer, number>()
  /** The events that it was told. */
  readonly heard = new Set<number>()
  stopped: { readonly isStored: boolean } | null = null
  /** Turns that threw. Nobody waits any more for the write that was under way then. */
  crashes = 0
  /** How often it gave its leg the peer's answer. */
  connects = 0
  /** True when its node stops. */
  isLeaving = false
  /** True when its process is gone. */
  isDead = false

  constructor(state: CallState, token: number) {
    this.state = state
    this.token = token
  }

  get isRunning(): boolean {
    return this.stopped === null && !this.isDead
  }
}

/** What is true of each decision, whatever was decided. */
export function assertDecided(before: CallState, message: CallMessage, made: Step): void {
  const { state, effects } = made
  const waited = [...before.stash, message]
  const waits = state.stash.filter((one) => waited.includes(one))
  const from = waited.indexOf(waits[0] ?? message)
  const isWriting = before.write !== null && before.write === state.write
  if (isWriting && state.stash.length < before.stash.length) throw new Error('a message that waits is dropped')
  if (!before.resuming && waits.some((one, at) => one !== waited[from + at]))
    throw new Error('messages change their order')
  const stop = effects.findIndex(({ type }) => type === 'stop')
  if (stop >= 0 && effects.slice(stop + 1).some(({ type }) => !AFTER_THE_STOP.has(type)))
    throw new Error('something follows the stop')
  if (stop >= 0 && before.write?.next.at === 'ENDED') assertOrdered(waited, made)
  if (before.resuming?.stage === 'media' && !HEARD_FIRST.has(message.type) && effects.length > 0)
    throw new Error('a call acts before its host handed it over')
  const isWaitedFor = message.type === 'Stored' && before.write?.attempt === message.attempt
  if (message.type === 'Fenced' || (isWaitedFor && message.outcome.kind === 'fenced')) return assertLeft(made)
  const isGone = state.phase.at === 'GONE' && !state.phase.isOurs
  const isLeft = state.isLeaving && isGone && !waited.some(({ type }) => type === 'Abandon')
  if (isLeft && before.phase.at !== 'GONE' && state.asked > 0) throw new Error('a stopping node leaves whoever asked')
}

/** Commands that waited for the end hear of it in the order in which they came. */
function assertOrdered(waited: readonly CallMessage[], { replies }: Step): void {
  const asked = waited.flatMap((one) => ('askId' in one && one.askId !== null ? [one.askId] : []))
  const answered = replies.map(({ askId }) => askId).filter((askId) => asked.includes(askId))
  const inOrder = asked.filter((askId) => answered.includes(askId))
  if (answered.join() !== inOrder.join()) throw new Error('commands are answered out of order')
}

/** A call of another node is only let go: nothing is settled, and commands may be asked of its owner. */
function assertLeft({ effects, replies }: Step): void {
  if (!effects.some(({ type }) => type === 'stop')) throw new Error('a call of another node goes on')
  if (effects.some(({ type }) => type === 'settle')) throw new Error('an event of another node is settled')
  if (replies.some(({ outcome }) => outcome.ok)) throw new Error('a call of another node is answered')
}

/** What is true of one who holds the call, between two decisions. */
export function assertHolds({ state, underWay, timers, crashes, connects }: Owner): void {
  const { phase, write, stash, resuming } = state
  const writes = underWay.filter((effect) => isWrite(effect))
  if (writes.length > (write ? 1 : 0) + crashes) throw new Error(`${writes.length} writes are under way`)
  if (write && !writes.some(({ attempt }) => attempt === write.attempt)) throw new Error('a write was never begun')
  if (stash.length > 0 && !write && !resuming) throw new Error('messages wait for nothing')
  if (write?.next.at === 'ENDED' && timers.size > 0) throw new Error('a timer goes on though the call is ending')
  if (phase.at === 'ACCEPTED' && (timers.has('ring') || timers.has('unringing')))
    throw new Error('an answered call rings')
  if (write || resuming) return
  const isTalking = phase.at === 'ACCEPTED' && state.isFlowing && hasOwnLeg(state)
  const isAsking = phase.at === 'OPENING' || phase.at === 'OFFERING' || phase.at === 'ACCEPTING'
  if (isAsking ? underWay.length === 0 : timers.size === 0 && !isTalking)
    throw new Error(`nothing will end a call that is ${phase.at}`)
  const isPlaced = state.facts.direction === 'OUTBOUND' && state.facts.provider === 'UNOFFICIAL' && !state.isResumed
  if (isPlaced && phase.at === 'ACCEPTED' && connects === 0) throw new Error('the leg lacks the answer of the peer')
}
