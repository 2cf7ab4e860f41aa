import { randomBytes } from 'node:crypto'
import type { BridgeContent, BridgeEvent } from '../../src/domain/device-bridge.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { isRegistered, recipientBehaviour, type DeliveryStatus } from './behaviours.ts'
import { BridgeRefusal } from './refusal.ts'
import type { DeviceSession } from './session.ts'

/** our choice: a peer's phone takes 50 ms for each step from SENT to READ, and 100 ms more to write back. */
const STEP_MS = 50
const REPLY_MS = 100
/** our choice: this many messages of each kind are remembered; the oldest go first. */
const MAX_MESSAGES = 10_000

/** A message of a gateway number to a peer. */
export interface SentMessage {
  readonly externalMessageId: string
  /** Chosen by the gateway: the idempotency key. */
  readonly messageId: string
  readonly numberId: string
  readonly from: string
  readonly to: string
  readonly content: BridgeContent
  readonly quoted: string | null
  readonly atMs: number
  /** The latest one reported; null when none was. */
  status: DeliveryStatus | null
  /** True once it shows in the peer's inbox. */
  isReached: boolean
}

/** A message of a peer to a gateway number. */
export interface ReceivedMessage {
  readonly externalMessageId: string
  readonly numberId: string
  readonly from: string
  readonly to: string
  readonly content: BridgeContent
  readonly atMs: number
  /** The gateway said that it was read. */
  isRead: boolean
}

export interface PeerMessage {
  readonly from: string
  readonly fromName?: string | null
  readonly content: BridgeContent
  readonly quoted?: string
  readonly group?: unknown
  readonly newsletter?: unknown
  readonly story?: unknown
  readonly historical?: boolean
  readonly timestamp?: number
}

function newExternalId(): string {
  return `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= MAX_MESSAGES) return
    map.delete(key)
  }
}

/** All messages of the device network, both ways. */
export class MessageBook {
  readonly #clock: Clock
  /** By number and message id of the gateway. */
  readonly #sent = new Map<string, SentMessage>()
  readonly #received = new Map<string, ReceivedMessage>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * A gateway number writes. The same `messageId` again is the same message: it gets the same id
   * and nothing is delivered twice. `deliver` starts the peer's part, once the gateway knows the id.
   */
  send(session: DeviceSession, request: { messageId: string, to: string, content: BridgeContent, quoted?: string | undefined }): { message: SentMessage, deliver: () => void } {
    const key = `${session.numberId} ${request.messageId}`
    const known = this.#sent.get(key)
    if (known) return { message: known, deliver: () => {} }
    if (!isRegistered(request.to)) throw new BridgeRefusal('NOT_REGISTERED', 'This number has no account on the device network')
    const message: SentMessage = {
      externalMessageId: newExternalId(),
      messageId: request.messageId,
      numberId: session.numberId,
      from: session.number,
      to: request.to,
      content: request.content,
      quoted: request.quoted ?? null,
      atMs: this.#clock.now(),
      status: null,
      isReached: false,
    }
    this.#sent.set(key, message)
    forgetOldest(this.#sent)
    return { message, deliver: () => this.#deliver(session, message) }
  }

  /** A peer writes to a gateway number. */
  receive(session: DeviceSession, message: PeerMessage): ReceivedMessage {
    const { from, fromName = `Peer ${from.slice(-4)}`, content, historical = false, timestamp = this.#clock.now(), ...rest } = message
    const received = { externalMessageId: newExternalId(), numberId: session.numberId, from, to: session.number, content, atMs: timestamp, isRead: false }
    this.#received.set(received.externalMessageId, received)
    forgetOldest(this.#received)
    const { externalMessageId, to } = received
    session.emit({ ev: 'message.received', externalMessageId, from, fromName, to, historical, timestamp, content, ...rest })
    return received
  }

  /** Unknown ids are ignored: the gateway may read what an earlier sandbox sent. */
  read(session: DeviceSession, externalMessageIds: readonly string[]): void {
    for (const id of externalMessageIds) {
      const message = this.#received.get(id)
      if (message?.numberId === session.numberId) message.isRead = true
    }
  }

  /** Messages that reached the peer, oldest first. */
  inbox(peer: string): SentMessage[] {
    return [...this.#sent.values()].filter((message) => message.to === peer && message.isReached)
  }

  /** Messages the peer wrote, oldest first. */
  outbox(peer: string): ReceivedMessage[] {
    return [...this.#received.values()].filter((message) => message.from === peer)
  }

  reset(): void {
    this.#sent.clear()
    this.#received.clear()
  }

  #deliver(session: DeviceSession, message: SentMessage): void {
    const behaviour = recipientBehaviour(message.to)
    message.isReached = behaviour.isReached
    behaviour.statuses.forEach((status, step) => {
      if (step === 0) this.#report(session, message, status)
      else this.#clock.after(step * STEP_MS, () => this.#report(session, message, status))
    })
    if (!behaviour.isEchoing) return
    const { to: from, content, externalMessageId: quoted } = message
    this.#clock.after(behaviour.statuses.length * STEP_MS + REPLY_MS, () => this.receive(session, { from, content, quoted }))
  }

  #report(session: DeviceSession, message: SentMessage, status: DeliveryStatus): void {
    message.status = status
    const event: BridgeEvent = { ev: 'message.status', externalMessageId: message.externalMessageId, status, timestamp: this.#clock.now() }
    session.emit(status === 'FAILED'
      ? { ...event, error: { code: 'FAILED', message: 'The message could not be delivered', retryable: false } }
      : event)
  }
}
