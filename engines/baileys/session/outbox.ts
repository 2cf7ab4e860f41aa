import type { EngineEvent, SequencedEvent } from '../protocol/engine-event.ts'
import type { Change } from '../store/changes.ts'
import type { EventStore } from '../store/events.ts'

/** A gateway's socket as a session sees it. */
export interface GatewaySocket {
  /** Sends a message. `sent` is called once its bytes left, or never will. */
  send(message: object, sent?: () => void): void
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number
  /** Closes the socket with the code of [realtime.closing.12]. */
  replace(): void
  /** Sends nothing any more. The function that it gives closes the socket: the number is to be asked for again. */
  mute(): () => void
}

/** our choice: most bytes of events that wait in the socket; the rest waits in the store. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** our choice: events read from the store at once. */
const BATCH = 100

export interface OutboxLimits {
  /** Most events that wait. */
  readonly limit: number
  /** Called for each event that leaves more waiting. */
  readonly full: () => void
  /** Called when waiting events could not be read or deleted. */
  readonly failed: (error: unknown) => void
}

/** Sends a number's events to the present gateway, oldest first. Each stays in the store until it is acknowledged. */
export class Outbox {
  readonly #events: EventStore
  readonly #present: (event: SequencedEvent) => SequencedEvent
  readonly #limits: OutboxLimits
  #socket: GatewaySocket | null = null
  /** True once the present socket started the session; only then it gets events. */
  #isStarted = false
  #sentSeq = 0
  /** True while it waits for the socket's buffer to empty. */
  #isHeld = false
  #isPumping = false
  /** True when there may be more to send than the running pump saw. */
  #isMore = false
  #ackSeq = 0
  #isAcking = false
  #drained: { limit: number; resolve: () => void }[] = []

  /** `present` makes the event to send from a stored one. */
  constructor(events: EventStore, present: (event: SequencedEvent) => SequencedEvent, limits: OutboxLimits) {
    this.#events = events
    this.#present = present
    this.#limits = limits
  }

  get isAttached(): boolean {
    return this.#socket !== null
  }

  /** Takes a new socket. The previous one is told that it was replaced, and closed. */
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

  /** Forgets a socket that closed; events wait for the next one. */
  detach(socket: GatewaySocket): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#isStarted = false
  }

  /**
   * Takes the number away from its gateway: nothing is sent or taken any more. The function that it gives closes the
   * gateway's socket.
   */
  takeAway(): () => void {
    const socket = this.#socket
    this.#socket = null
    this.#isStarted = false
    return socket?.mute() ?? (() => {})
  }

  isCurrent(socket: GatewaySocket): boolean {
    return this.#socket === socket
  }

  /** The present socket started the session: events that were not acknowledged are sent to it, once. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#pump()
  }

  /** Stores events and the changes `also` in one commit, and sends them; resolves once they are on the disk. */
  async add(
    events: readonly EngineEvent[],
    messageKey: string | null = null,
    also: readonly Change[] = [],
  ): Promise<void> {
    const kept = this.#events.add(events, messageKey, also)
    if (this.#events.waiting > this.#limits.limit) this.#limits.full()
    if (!this.#sendNext(await kept)) this.#pump()
  }

  /** Sends what is true for seconds: without a `seq`, and only where the present gateway takes events without delay. */
  hint(event: EngineEvent): void {
    if (this.#isStarted && !this.#isHeld) this.#socket?.send(event)
  }

  /**
   * Takes an acknowledgement, but only of events that this very socket was sent, so that a lying gateway cannot make us
   * forget others.
   */
  acknowledge(seq: number): void {
    this.#ackSeq = Math.max(this.#ackSeq, Math.min(seq, this.#sentSeq))
    if (!this.#isAcking) this.#acknowledgeAll().catch(this.#limits.failed)
  }

  /** Resolves once at most `limit` events wait, or at the end. */
  drained(limit: number): Promise<void> {
    if (this.#events.waiting <= limit) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push({ limit, resolve }))
  }

  /** Resolves all waits. */
  end(): void {
    for (const { resolve } of this.#drained.splice(0)) resolve()
  }

  async #acknowledgeAll(): Promise<void> {
    this.#isAcking = true
    try {
      // One that comes once the commit is under way is not in it, and no other may follow.
      for (let written = -1; written < this.#ackSeq; this.#resolveDrained())
        await this.#events.acknowledge(() => (written = this.#ackSeq))
    } finally {
      this.#isAcking = false
    }
  }

  #resolveDrained(): void {
    const waiting = this.#events.waiting
    const [done, stay] = [
      this.#drained.filter(({ limit }) => waiting <= limit),
      this.#drained.filter(({ limit }) => waiting > limit),
    ]
    this.#drained = stay
    for (const { resolve } of done) resolve()
  }

  /**
   * Sends events that were just stored without reading them, where nothing that was not sent comes before them; a read
   * is a way to the database. False when some were not sent.
   */
  #sendNext(events: readonly SequencedEvent[]): boolean {
    const socket = this.#socket
    if (!socket || !this.#isStarted || this.#isPumping) return false
    for (const event of events) {
      if (this.#isHeld || event.seq !== this.#sentSeq + 1) return false
      this.#send(event, socket)
    }
    return true
  }

  /** Sends what waits. It is called again meanwhile for more, which the running one sends too. */
  #pump(): void {
    this.#isMore = true
    if (this.#isPumping) return
    this.#isPumping = true
    this.#sendWaiting().catch(this.#limits.failed)
  }

  async #sendWaiting(): Promise<void> {
    try {
      while (this.#isMore && this.#socket && this.#isStarted && !this.#isHeld) {
        const socket = this.#socket
        this.#isMore = false
        const batch = await this.#events.after(this.#sentSeq, BATCH)
        // Another socket gets them from the first on.
        const isSame = this.#socket === socket
        if (isSame) for (const event of batch) this.#send(event, socket)
        if (!isSame || batch.length === BATCH) this.#isMore = true
      }
    } finally {
      this.#isPumping = false
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
