import { LiveCall } from './live-call.ts'
import type { CallId, NodeId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { MediaCall, MediaEvent } from '../../src/ports/media.ts'
import type { CallParts, StatusInfo } from './live-call.ts'
import type { CallStatus } from '../../src/domain/call.ts'

/** Our choice: calls that are over are known this long, so that late sockets are told CALL_ENDED. */
const ENDED_MS = 600_000
/** Our choice: and at most so many of them. */
const ENDED_CALLS = 10_000

interface Entry {
  readonly nodeId: NodeId
  readonly live: LiveCall
}

export interface RegisterParts extends Omit<CallParts, 'emit'> {
  /** Reports an event to the node that owns its call. */
  report(nodeId: NodeId, event: MediaEvent): void
  /** The call is no longer known, not even as ended. */
  onForgotten(callId: CallId): void
}

/** The calls of this host by id, with the node that owns each, and those that ended not long ago. */
export class CallRegister {
  readonly #parts: RegisterParts
  readonly #clock: Clock
  readonly #calls = new Map<CallId, Entry>()
  /** In order of ending. */
  readonly #ended = new Map<CallId, number>()

  constructor(parts: RegisterParts) {
    this.#parts = parts
    this.#clock = parts.clock
  }

  get size(): number {
    return this.#calls.size
  }

  /** Gives the live call of this id, registering it for the node when it is new. */
  ensure(call: MediaCall, nodeId: NodeId): LiveCall {
    const known = this.#calls.get(call.callId)
    // A number may have moved to another node meanwhile: the one that speaks for the call now gets its events.
    if (known?.nodeId === nodeId) return known.live
    if (known) {
      this.#calls.set(call.callId, { nodeId, live: known.live })
      return known.live
    }
    const live = new LiveCall(call, { ...this.#parts, emit: (event) => this.#emit(event) })
    this.#calls.set(call.callId, { nodeId, live })
    return live
  }

  find(callId: string): LiveCall | null {
    return this.#calls.get(callId as CallId)?.live ?? null
  }

  hasEnded(callId: string): boolean {
    return this.#ended.has(callId as CallId)
  }

  all(): LiveCall[] {
    return [...this.#calls.values()].map((entry) => entry.live)
  }

  ofNode(nodeId: NodeId): LiveCall[] {
    return [...this.#calls.values()].filter((entry) => entry.nodeId === nodeId).map((entry) => entry.live)
  }

  /** Idempotent; an unknown call is remembered as ended too. */
  end(callId: CallId, status: CallStatus, info: StatusInfo): void {
    const entry = this.#calls.get(callId)
    this.#calls.delete(callId)
    entry?.live.end(status, info)
    if (!this.#ended.has(callId)) this.#ended.set(callId, this.#clock.monotonicMs())
    this.#forgetOld()
  }

  everySecond(): void {
    for (const live of this.all()) live.everySecond()
    this.#forgetOld()
  }

  #emit(event: MediaEvent): void {
    const entry = this.#calls.get(event.callId)
    if (entry) this.#parts.report(entry.nodeId, event)
  }

  #forgetOld(): void {
    const limitMs = this.#clock.monotonicMs() - ENDED_MS
    for (const [callId, endedAtMs] of this.#ended) {
      if (endedAtMs > limitMs && this.#ended.size <= ENDED_CALLS) return
      this.#ended.delete(callId)
      this.#parts.onForgotten(callId)
    }
  }
}
