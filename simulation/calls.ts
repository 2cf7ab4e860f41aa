import type { CallEndReason } from '../src/domain/device-bridge.ts'
import type { CallId, NumberId } from '../src/domain/ids.ts'
import type { UpstreamCall } from '../src/ports/provider.ts'
import type { Journal } from './journal.ts'
import type { Machine } from './machine.ts'
import type { Random } from './random.ts'

/** A person lets it ring for so many ms before picking up, and talks for so many. */
const PICKS_UP_MS = [300, 4_000] as const
const TALKS_MS = [1_000, 12_000] as const
/** Nobody waits longer than this for an answer, in ms. */
const GIVES_UP_MS = 15_000
/** Of 100 calls so many are picked up. */
const PICKED_UP_PERCENT = 70

/** A call as the device network holds it. */
interface HeldCall extends UpstreamCall {
  readonly numberId: NumberId
  isConnected: boolean
  isOver: boolean
}

interface CallBookDeps {
  readonly machine: Machine
  readonly random: Random
  readonly journal: Journal
  /** Tells the owner of a number something until it is settled. */
  readonly tell: (numberId: NumberId, event: Record<string, unknown>) => void
}

/** The calls of the device network: people call, pick up and hang up. */
export class CallBook {
  readonly #deps: CallBookDeps
  readonly #calls = new Map<string, HeldCall>()
  #count = 0

  constructor(deps: CallBookDeps) {
    this.#deps = deps
  }

  /** Whether no call goes on. */
  get isQuiet(): boolean {
    return [...this.#calls.values()].every(({ isOver }) => isOver)
  }

  /** The calls of a number that go on. */
  live(numberId: NumberId): UpstreamCall[] {
    return [...this.#calls.values()]
      .filter((call) => call.numberId === numberId && !call.isOver)
      .map(({ externalCallId, callRef, isConnected }) => ({ externalCallId, callRef, isConnected }))
  }

  /** A person calls the number. */
  ring(numberId: NumberId, from: string): void {
    const call = this.#add(numberId, null, `${from} calls`)
    const { externalCallId } = call
    this.#deps.tell(numberId, { type: 'incomingCall', externalCallId, from, sdp: 'offer of a person' })
    this.#deps.machine.after(GIVES_UP_MS, () => call.isConnected || this.#end(call, 'canceled'))
  }

  /** The number calls a person. Answers upstream's id of the call. */
  offer(numberId: NumberId, to: string, callRef: CallId | null): string {
    const { random, machine, tell } = this.#deps
    const call = this.#add(numberId, callRef, `${to} is called`)
    const { externalCallId } = call
    machine.after(random.between(10, 500), () => call.isOver || tell(numberId, { type: 'callRinging', externalCallId }))
    const isPickedUp = random.chance(PICKED_UP_PERCENT)
    machine.after(isPickedUp ? random.between(...PICKS_UP_MS) : GIVES_UP_MS, () => {
      if (call.isOver) return
      if (!isPickedUp) return this.#end(call, 'timeout')
      tell(numberId, { type: 'callAnswered', externalCallId, sdp: 'answer of a person' })
      this.#connect(call)
    })
    return externalCallId
  }

  /** The service accepts a call. False when it is over. */
  accept(externalCallId: string): boolean {
    const call = this.#calls.get(externalCallId)
    if (!call || call.isOver) return false
    if (!call.isConnected) this.#connect(call)
    return true
  }

  /** The service ends a call; one that is unknown counts as ended. */
  hangUp(isIt: (call: UpstreamCall) => boolean): void {
    for (const call of this.#calls.values()) if (isIt(call)) call.isOver = true
  }

  #add(numberId: NumberId, callRef: CallId | null, what: string): HeldCall {
    const call = { numberId, externalCallId: `call-${++this.#count}`, callRef, isConnected: false, isOver: false }
    this.#calls.set(call.externalCallId, call)
    this.#deps.journal.note('upstream', `${what}: ${call.externalCallId}`)
    return call
  }

  #connect(call: HeldCall): void {
    call.isConnected = true
    this.#deps.machine.after(this.#deps.random.between(...TALKS_MS), () => this.#end(call, 'hangup'))
  }

  #end(call: HeldCall, reason: CallEndReason): void {
    if (call.isOver) return
    call.isOver = true
    const { numberId, externalCallId } = call
    this.#deps.journal.note('upstream', `${externalCallId} ends: ${reason}`)
    this.#deps.tell(numberId, { type: 'callEnded', externalCallId, reason })
  }
}
