import { LiveCall } from './live-call.ts'
import { CALL_ADOPTION_MS } from '../../src/domain/limits.ts'
import type { CallId, NodeId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { MediaCall, MediaEvent } from '../../src/ports/media.ts'
import type { CallParts, StatusInfo } from './live-call.ts'
import type { CallStatus } from '../../src/domain/call.ts'

/** Our choice: calls that are over are known this long, so that late sockets are told CALL_ENDED. */
const ENDED_MS = 600_000
/** Our choice: and at most so many of them. */
const ENDED_CALLS = 10_000
/** Our choice: far more files than may wait in a queue (20); beyond it the oldest is forgotten. */
const MAX_WORDS = 100

interface Entry {
  /** Who speaks for the call and gets its events; null while it waits to be adopted. */
  nodeId: NodeId | null
  /** The highest token heard with the call; null: its gateway tells none. */
  fence: number | null
  /** Monotonic ms; null while a node speaks for it. */
  unclaimedSinceMs: number | null
  readonly live: LiveCall
  readonly words: CallWords
}

export interface RegisterParts extends Omit<CallParts, 'emit'> {
  /** Reports an event to the node that owns its call. */
  report(nodeId: NodeId, event: MediaEvent): void
  /** The node gets nothing of this call any more, not even what it has not acknowledged. */
  forget(nodeId: NodeId, callId: CallId): void
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

  /**
   * Gives the live call of this id, registering it for the node when it is new. A node that may not speak for it is not
   * heard: see mayAct.
   */
  ensure(call: MediaCall, nodeId: NodeId): LiveCall {
    const known = this.#calls.get(call.callId)
    if (known) {
      // A number may have moved to another node meanwhile: the one that speaks for the call now gets its events.
      this.#claim(known, nodeId, call.fence)
      return known.live
    }
    const live = new LiveCall(call, { ...this.#parts, emit: (event) => this.#emit(event) })
    this.#calls.set(call.callId, {
      nodeId,
      fence: call.fence ?? null,
      unclaimedSinceMs: null,
      live,
      words: new CallWords(),
    })
    return live
  }

  /**
   * Whether a node may ask something of the call: not once a later owner of its number has spoken. Of calls that are
   * not here everybody may.
   */
  mayAct(callId: CallId, nodeId: NodeId, fence: number | undefined): boolean {
    const entry = this.#calls.get(callId)
    if (!entry || entry.fence === null) return true
    return fence === undefined ? entry.nodeId === nodeId : fence >= entry.fence
  }

  /** The node speaks for the call from now on, and is told what was last told of it. Null: there is no such call. */
  adopt(callId: CallId, nodeId: NodeId, fence: number): LiveCall | null {
    const entry = this.#calls.get(callId)
    if (!entry) return null
    this.#claim(entry, nodeId, fence)
    this.#parts.forget(nodeId, callId)
    for (const event of entry.words.all()) this.#parts.report(nodeId, event)
    return entry.live
  }

  /** Nobody speaks for the call now: it goes on, and ends when nobody adopts it in time. */
  leave(callId: CallId): void {
    const entry = this.#calls.get(callId)
    if (!entry) return
    if (entry.nodeId !== null) this.#parts.forget(entry.nodeId, callId)
    entry.nodeId = null
    entry.unclaimedSinceMs ??= this.#clock.monotonicMs()
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
    this.#endUnclaimed()
    this.#forgetOld()
  }

  #claim(entry: Entry, nodeId: NodeId, fence: number | undefined): void {
    const { callId } = entry.live.call
    if (entry.nodeId !== null && entry.nodeId !== nodeId) this.#parts.forget(entry.nodeId, callId)
    entry.nodeId = nodeId
    entry.fence = fence ?? entry.fence
    entry.unclaimedSinceMs = null
  }

  #endUnclaimed(): void {
    const limitMs = this.#clock.monotonicMs() - CALL_ADOPTION_MS
    for (const [callId, { unclaimedSinceMs }] of this.#calls) {
      if (unclaimedSinceMs !== null && unclaimedSinceMs <= limitMs) this.end(callId, 'FAILED', { reason: 'NODE_LOST' })
    }
  }

  #emit(event: MediaEvent): void {
    const entry = this.#calls.get(event.callId)
    if (!entry) return
    entry.words.add(event)
    if (entry.nodeId !== null) this.#parts.report(entry.nodeId, event)
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

/**
 * What was last told of a call: of each file its last progress, of everything else the last time. An owner may be gone
 * with what it heard and did not store, so whoever adopts the call is told all of it; saying a thing twice does
 * nothing.
 */
class CallWords {
  readonly #words = new Map<string, MediaEvent>()

  add(event: MediaEvent): void {
    const key = event.type === 'playback' ? event.playbackId : event.type
    // Deleted first, so that the latest stands last.
    this.#words.delete(key)
    this.#words.set(key, event)
    for (const oldest of this.#words.keys()) {
      if (this.#words.size <= MAX_WORDS) return
      this.#words.delete(oldest)
    }
  }

  /** In the order they were said. */
  all(): MediaEvent[] {
    return [...this.#words.values()]
  }
}
