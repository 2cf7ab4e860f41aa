import type { EngineEvent, SequencedEvent } from '../protocol/engine-event.ts'
import type { EventStore } from '../store/events.ts'

/** A gateway's socket, as a session sees it. */
export interface GatewaySocket {
  /** `sent` is called once the bytes left, or never will. */
  send(message: object, sent?: () => void): void
  /** Bytes that wait to leave. */
  readonly bufferedBytes: number
  /** Closes with the code of [realtime.closing.12]. */
  replace(): void
}

/** our choice: events that wait in the socket rather than in the store. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** our choice: events read from the store at once. */
const BATCH = 100

/** Sends a number's events to the gateway of the moment, oldest first, each from the store until it is acknowledged. */
export class Outbox {
  readonly #events: EventStore
  readonly #present: (event: SequencedEvent) => SequencedEvent
  readonly #backlog: { readonly limit: number; readonly full: () => void }
  #socket: GatewaySocket | null = null
  /** The socket at hand started the session: only then does it get events. */
  #isStarted = false
  #sentSeq = 0
  /** Waits for the socket to empty. */
  #isHeld = false
  #ackSeq = 0
  #isAcking = false
  #drained: { limit: number; resolve: () => void }[] = []

  /**
   * `present`: makes of a kept event what is sent now. `full` is called at each event by which more than `limit` wait.
   */
  constructor(
    events: EventStore,
    present: (event: SequencedEvent) => SequencedEvent,
    backlog: { readonly limit: number; readonly full: () => void },
  ) {
    this.#events = events
    this.#present = present
    this.#backlog = backlog
  }

  get isAttached(): boolean {
    return this.#socket !== null
  }

  /** Takes a new socket. An older one is told that it was replaced, and closed. */
  attach(socket: GatewaySocket): void {
    const older = this.#socket
    this.#socket = socket
    this.#isStarted = false
    this.#isHeld = false
    this.#sentSeq = 0
    if (!older) return
    older.send(this.#events.number({ ev: 'session.state', state: 'CLOSE', reason: 'replaced' }))
    older.replace()
  }

  /** Forgets a socket that closed; events wait for the next. */
  detach(socket: GatewaySocket): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#isStarted = false
  }

  isCurrent(socket: GatewaySocket): boolean {
    return this.#socket === socket
  }

  /** The socket at hand started the session: what was not acknowledged is sent to it, once. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#pump()
  }

  /** Keeps events and sends them; resolves once they are on the disk. */
  async add(events: readonly EngineEvent[], messageKey: string | null = null, also?: () => void): Promise<void> {
    const kept = this.#events.add(events, messageKey, also)
    if (this.#events.waiting > this.#backlog.limit) this.#backlog.full()
    await kept
    this.#pump()
  }

  /** Never more than this very socket was sent: a gateway that lies must not make us forget. */
  acknowledge(seq: number): void {
    this.#ackSeq = Math.max(this.#ackSeq, Math.min(seq, this.#sentSeq))
    if (!this.#isAcking) void this.#acknowledgeAll()
  }

  /** Resolves once at most `limit` events wait. */
  drained(limit: number): Promise<void> {
    if (this.#events.waiting <= limit) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push({ limit, resolve }))
  }

  /** Whoever waits is let go. */
  end(): void {
    for (const { resolve } of this.#drained.splice(0)) resolve()
  }

  async #acknowledgeAll(): Promise<void> {
    this.#isAcking = true
    try {
      // The newest there is when it is written: what is acknowledged meanwhile needs no work of its own.
      await this.#events.acknowledge(() => this.#ackSeq)
    } finally {
      this.#isAcking = false
    }
    const waiting = this.#events.waiting
    const [done, stay] = [
      this.#drained.filter(({ limit }) => waiting <= limit),
      this.#drained.filter(({ limit }) => waiting > limit),
    ]
    this.#drained = stay
    for (const { resolve } of done) resolve()
  }

  #pump(): void {
    while (this.#socket && this.#isStarted && !this.#isHeld) {
      const batch = this.#events.after(this.#sentSeq, BATCH)
      if (batch.length === 0) return
      for (const event of batch) this.#send(event, this.#socket)
    }
  }

  #send(event: SequencedEvent, socket: GatewaySocket): void {
    this.#sentSeq = event.seq
    const isFull = !this.#isHeld && socket.bufferedBytes > MAX_BUFFERED_BYTES
    if (isFull) this.#isHeld = true
    socket.send(this.#present(event), isFull ? () => this.#release(socket) : undefined)
  }

  #release(socket: GatewaySocket): void {
    if (this.#socket !== socket) return
    this.#isHeld = false
    this.#pump()
  }
}
