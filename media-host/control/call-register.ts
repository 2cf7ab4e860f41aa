import { LiveCall } from './live-call.ts'
import { CALL_ADOPTION_MS } from '../../src/domain/limits.ts'
import type { CallId, NodeId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { MediaCall, MediaEvent } from '../../src/ports/media.ts'
import type { CallParts, StatusInfo } from './live-call.ts'
import type { CallStatus } from '../../src/domain/call.ts'

/** Our choice: ended calls are known for this long, so that late sockets get CALL_ENDED. */
const ENDED_MS = 600_000
/** Our choice: most ended calls that are known. */
const ENDED_CALLS = 10_000
/** Our choice: far more files than may wait in a queue (20). Beyond it the oldest event is forgotten. */
const MAX_WORDS = 100

interface Entry {
  /** The node that owns the call and gets its events; null while the call waits to be adopted. */
  nodeId: NodeId | null
  /** The highest fence received for the call; null when its gateway sends none. */
  fence: number | null
  /** Monotonic ms since when no node owns the call; null while one does. */
  unclaimedSinceMs: number | null
  readonly live: LiveCall
  readonly words: CallWords
}

export interface RegisterParts extends Omit<CallParts, 'emit'> {
  /** Reports an event to the node that owns its call. */
  report(nodeId: NodeId, event: MediaEvent): void
  /** Drops the events of this call for the node, even those it has not acknowledged. */
  forget(nodeId: NodeId, callId: CallId): void
  /** Called when the call is no longer known, not even as ended. */
  onForgotten(callId: CallId): void
}

/** The calls of this host by id, with the node that owns each, and recently ended ones. */
export class CallRegister {
  readonly #parts: RegisterParts
  readonly #clock: Clock
  readonly #calls = new Map<CallId, Entry>()
  /** Ended calls, in order of their ends. */
  readonly #ended = new Map<CallId, number>()
  /** The call that is being ended. */
  #ending: Entry | null = null

  constructor(parts: RegisterParts) {
    this.#parts = parts
    this.#clock = parts.clock
  }

  get size(): number {
    return this.#calls.size
  }

  /**
   * The live call of this id, registered for the node when it is new. A node that no longer owns the call is refused
   * before: see mayAct.
   */
  ensure(call: MediaCall, nodeId: NodeId): LiveCall {
    const known = this.#calls.get(call.callId)
    if (known) {
      // The number may have moved to another node meanwhile. The node that asks now gets the events.
      this.#claim(known, nodeId, call.fence)
      return known.live
    }
    this.#parts.playables.prepare()
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
   * Whether a node may ask something of the call: not after a later owner of its number asked. Any node may ask about
   * calls that are not here.
   */
  mayAct(callId: CallId, nodeId: NodeId, fence: number | undefined): boolean {
    const entry = this.#calls.get(callId)
    if (!entry || entry.fence === null) return true
    return fence === undefined ? entry.nodeId === nodeId : fence >= entry.fence
  }

  /** Makes the node the owner of the call, and tells it the latest events again. Null when there is no such call. */
  adopt(callId: CallId, nodeId: NodeId, fence: number): LiveCall | null {
    const entry = this.#calls.get(callId)
    if (!entry) return null
    this.#claim(entry, nodeId, fence)
    this.#parts.forget(nodeId, callId)
    for (const event of entry.words.all()) this.#parts.report(nodeId, event)
    return entry.live
  }

  /** Leaves the call without an owner. It goes on, and ends when nobody adopts it in time. */
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

  /** Ends the call. Idempotent; an unknown call is remembered as ended too. */
  end(callId: CallId, status: CallStatus, info: StatusInfo): void {
    const entry = this.#calls.get(callId)
    this.#calls.delete(callId)
    this.#ending = entry ?? null
    entry?.live.end(status, info)
    this.#ending = null
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
    // Of a call that ends, only how its sessions ended is news.
    const entry = this.#calls.get(event.callId) ?? (event.type === 'session' ? this.#ending : null)
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

function keyOf(event: MediaEvent): string {
  if (event.type === 'playback') return event.playbackId
  return event.type === 'session' ? event.session.id : event.type
}

/**
 * The latest events of a call: for each file and session its last state, of every other kind the last one. An owner
 * may be gone before it stored what it heard, so whoever adopts the call gets them all. Repeating one does nothing.
 */
class CallWords {
  readonly #words = new Map<string, MediaEvent>()

  add(event: MediaEvent): void {
    const key = keyOf(event)
    // Deleting the key first makes the latest event the last in order.
    this.#words.delete(key)
    this.#words.set(key, event)
    for (const oldest of this.#words.keys()) {
      if (this.#words.size <= MAX_WORDS) return
      this.#words.delete(oldest)
    }
  }

  /** The events in the order they happened. */
  all(): MediaEvent[] {
    return [...this.#words.values()]
  }
}
