import { randomBytes } from 'node:crypto'
import type { BridgeContent, BridgeEvent, BridgeRoom } from '../../src/domain/device-bridge.ts'
import { isFields, own } from '../../src/domain/json-fields.ts'
import { SharedWork } from '../../src/domain/shared-work.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { Shelf } from '../shelf.ts'
import {
  endingOf,
  isRegistered,
  recipientBehaviour,
  type DeliveryStatus,
  type RecipientBehaviour,
} from './behaviours.ts'
import type { Rewriting } from '../rewriting.ts'
import type { MessageFetcher } from './message-media.ts'
import { NEW, type PeerMessage, type ReceivedMessage, type SentMessage, type Vote } from './message-record.ts'
import { BridgeRefusal } from './refusal.ts'
import type { People } from './people.ts'
import { isRoom, type Rooms } from './rooms.ts'
import type { DeviceSession } from './session.ts'

/** our choice: a peer's phone takes 50 ms for each step from SENT to READ, and 100 ms more to write back. */
const STEP_MS = 50
const REPLY_MS = 100
/** our choice: groups report like a peer that reads; a newsletter only reports that it took the message. */
const ROOM: RecipientBehaviour = { statuses: ['SENT', 'DELIVERED', 'READ'], isReached: true, isEchoing: false }
const CHANNEL: RecipientBehaviour = { ...ROOM, statuses: ['SENT'] }

interface SendRequest {
  readonly messageId: string
  readonly to: string
  readonly content: BridgeContent
  readonly quoted?: string | undefined
}

export interface MessageBookParts {
  readonly clock: Clock
  readonly rooms: Rooms
  readonly people: People
  readonly media: MessageFetcher
}

function newExternalId(): string {
  return `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
}

/** True when the number wants stories; a gateway that does not send `stories` tells it by `ignoreStatus`. */
function areStoriesWanted({ settings }: DeviceSession): boolean {
  return settings?.stories ?? settings?.ignoreStatus !== true
}

/** Whether a person can choose all of these together. */
function areOptionsOf({ poll }: BridgeContent, chosen: readonly string[]): boolean {
  if (!isFields(poll)) return false
  const options = own(poll, 'options')
  const isFew = own(poll, 'multiple') === true || chosen.length <= 1
  return isFew && Array.isArray(options) && chosen.every((option) => options.includes(option))
}

function behaviourOf(to: string): RecipientBehaviour {
  if (to.endsWith('@g.us')) return ROOM
  return to.endsWith('@newsletter') ? CHANNEL : recipientBehaviour(to)
}

/** All messages of the device network, in both directions. */
export class MessageBook {
  readonly #parts: MessageBookParts
  /** Sent messages, by number and message id of the gateway, and by the peers that get them. */
  readonly #sent = new Shelf<SentMessage>()
  readonly #received = new Shelf<ReceivedMessage>()
  /** Sent messages, by the network's own id. */
  readonly #byExternalId = new Shelf<SentMessage>()
  /** Messages whose files are being fetched, by the same key: a repetition waits for the first. */
  readonly #sending = new SharedWork<SentMessage>()

  constructor(parts: MessageBookParts) {
    this.#parts = parts
  }

  /**
   * Sends a message of a gateway number. The same `messageId` again is the same message: it gets the same id and
   * nothing is delivered twice. `deliver` starts the peer's part, once the gateway knows the id.
   */
  async send(session: DeviceSession, request: SendRequest): Promise<{ message: SentMessage; deliver: () => void }> {
    const key = `${session.numberId} ${request.messageId}`
    const known = this.#sent.get(key)
    const isFirst = !known && !this.#sending.has(key)
    const message = known ?? (await this.#sending.join(key, () => this.#take(session, request, key)))
    return { message, deliver: isFirst ? () => this.#deliver(session, message) : () => {} }
  }

  /** A peer writes to a gateway number. */
  receive(session: DeviceSession, message: PeerMessage): ReceivedMessage {
    const {
      from,
      fromName = `Peer ${endingOf(from)}`,
      content,
      historical = false,
      timestamp = this.#parts.clock.now(),
      group,
      newsletter,
      ...rest
    } = message
    const isDelivered = rest.story === undefined || areStoriesWanted(session)
    const received = {
      externalMessageId: newExternalId(),
      numberId: session.numberId,
      from,
      to: session.number,
      content,
      atMs: timestamp,
      isDelivered,
      isRead: false,
    }
    this.#received.add(received.externalMessageId, [from], received)
    if (!isDelivered) return received
    const { externalMessageId, to } = received
    session.emit({
      ev: 'message.received',
      externalMessageId,
      from,
      fromName,
      to,
      historical,
      timestamp,
      content,
      ...this.#roomsOf(group, newsletter, [from, to]),
      ...rest,
    })
    return received
  }

  #roomsOf(group: PeerMessage['group'], newsletter: PeerMessage['newsletter'], people: readonly string[]) {
    return {
      ...(group === undefined ? {} : { group: this.#enter(group, people) }),
      ...(newsletter === undefined ? {} : { newsletter: this.#named(newsletter) }),
    }
  }

  /**
   * A peer that a poll of a number reached votes in it: `options` are what it has chosen now, none when it takes its
   * vote back. Null when no such poll reached the peer.
   */
  vote(
    { peer, fromName, externalMessageId, options, timestamp = this.#parts.clock.now() }: Vote,
    sessionOf: (numberId: string) => DeviceSession,
  ): SentMessage | null {
    const poll = this.inbox(peer).find((message) => message.externalMessageId === externalMessageId)
    if (!poll || !areOptionsOf(poll.content, options)) return null
    const { numberId, messageId, from, to } = poll
    sessionOf(numberId).emit({
      ev: 'message.poll_vote',
      externalMessageId,
      ...(messageId === null ? {} : { messageId }),
      from: peer,
      fromName: fromName ?? `Peer ${peer.slice(-4)}`,
      ...(to.endsWith('@g.us') ? { group: this.#enter(to, [peer, from]) } : {}),
      options,
      timestamp,
    })
    return poll
  }

  /** The number's owner writes on the phone or on another of its devices. */
  writeElsewhere(session: DeviceSession, to: string, message: PeerMessage): SentMessage {
    const { clock, rooms } = this.#parts
    const { content, quoted, peer, timestamp = clock.now(), historical = false } = message
    const readers = isRoom(to) ? rooms.readersOf(session.number, to) : []
    const externalMessageId = newExternalId()
    const sent: SentMessage = {
      externalMessageId,
      messageId: null,
      numberId: session.numberId,
      from: session.number,
      to,
      content,
      quoted: quoted ?? null,
      media: [],
      atMs: timestamp,
      ...NEW,
    }
    this.#sent.add(externalMessageId, [to, ...readers], sent)
    this.#byExternalId.add(externalMessageId, [], sent)
    const room = to.endsWith('@newsletter')
      ? { newsletter: this.#named(to) }
      : isRoom(to)
        ? { group: this.#named(to) }
        : {}
    session.emit({
      ev: 'message.sent_elsewhere',
      externalMessageId,
      from: session.number,
      to,
      historical,
      timestamp,
      content,
      ...room,
      ...(quoted === undefined ? {} : { quoted }),
      ...(peer === undefined ? {} : { peer }),
    })
    this.#deliver(session, sent)
    return sent
  }

  /**
   * The writer of a message, a peer or the number's owner on the phone, edits or revokes it. False when there is no
   * such message.
   */
  rewrite(
    externalMessageId: string,
    rewriting: Rewriting,
    timestamp: number,
    sessionOf: (numberId: string) => DeviceSession,
  ): boolean {
    const message = this.#received.get(externalMessageId) ?? this.#byExternalId.get(externalMessageId)
    if (!message) return false
    const {
      numberId,
      content: { type },
    } = message
    sessionOf(numberId).emit(
      rewriting.kind === 'revoke'
        ? { ev: 'message.revoked', externalMessageId, timestamp }
        : { ev: 'message.edited', externalMessageId, timestamp, content: { type, text: rewriting.text } },
    )
    return true
  }

  /**
   * A gateway number, `from`, changes what it sent; its peers see that. Refuses NOT_FOUND for what the number never
   * sent, and INVALID for what it took back.
   */
  rewriteSent(from: string, externalMessageId: string, rewriting: Rewriting): void {
    const message = this.#byExternalId.get(externalMessageId)
    if (message?.from !== from) throw new BridgeRefusal('NOT_FOUND', 'This number sent no such message')
    if (message.revokedAtMs !== null) throw new BridgeRefusal('INVALID', 'The message was taken back')
    const now = this.#parts.clock.now()
    if (rewriting.kind === 'revoke') {
      message.content = { type: message.content.type }
      message.revokedAtMs = now
    } else {
      message.content = { ...message.content, text: rewriting.text }
      message.editedAtMs = now
    }
  }

  /** The peer that wrote a message; null for an unknown one. */
  writerOf(externalMessageId: string | null): string | null {
    return externalMessageId === null ? null : (this.#received.get(externalMessageId)?.from ?? null)
  }

  /** Unknown ids are ignored: the gateway may read what an earlier sandbox sent. */
  read(session: DeviceSession, externalMessageIds: readonly string[]): void {
    for (const id of externalMessageIds) {
      const message = this.#received.get(id)
      if (message?.numberId === session.numberId) message.isRead = true
    }
  }

  /** Messages that reached the peer, group or newsletter, oldest first. */
  inbox(peer: string): SentMessage[] {
    return this.#sent.of(peer).filter(({ isReached }) => isReached)
  }

  /** Messages the peer wrote, oldest first. */
  outbox(peer: string): ReceivedMessage[] {
    return this.#received.of(peer)
  }

  reset(): void {
    this.#sent.clear()
    this.#received.clear()
    this.#byExternalId.clear()
  }

  /** Finds where the message goes and fetches its files; only then does the message exist. */
  async #take(
    session: DeviceSession,
    { messageId, to, content, quoted }: SendRequest,
    key: string,
  ): Promise<SentMessage> {
    const { clock, rooms, people, media } = this.#parts
    if (!isRoom(to) && !isRegistered(to))
      throw new BridgeRefusal('NOT_REGISTERED', 'This number has no account on the device network')
    const readers = isRoom(to) ? rooms.readersOf(session.number, to) : []
    const externalMessageId = newExternalId()
    const message: SentMessage = {
      externalMessageId,
      messageId,
      numberId: session.numberId,
      from: session.number,
      to,
      content,
      quoted: quoted ?? null,
      media: await media.fetchAll(externalMessageId, content),
      atMs: clock.now(),
      ...NEW,
    }
    this.#sent.add(key, [to, ...readers, ...people.othersOf(to)], message)
    this.#byExternalId.add(externalMessageId, [], message)
    return message
  }

  /** The group in the form of its event. A group that is not known yet is made, with these numbers in it. */
  #enter(room: BridgeRoom | string, numbers: readonly string[]): BridgeRoom {
    const { id, name = null }: BridgeRoom = typeof room === 'string' ? { id: room } : room
    this.#parts.rooms.noteGroup(id, name, numbers)
    return this.#named(room)
  }

  #named(room: BridgeRoom | string): BridgeRoom {
    const { id, name = this.#parts.rooms.nameOf(id) }: BridgeRoom = typeof room === 'string' ? { id: room } : room
    return { id, name }
  }

  #deliver(session: DeviceSession, message: SentMessage): void {
    const { clock } = this.#parts
    const behaviour = behaviourOf(message.to)
    message.isReached = behaviour.isReached
    this.#reportEach(session, message, behaviour.statuses)
    const {
      to: from,
      content: { text },
      externalMessageId: quoted,
    } = message
    if (!behaviour.isEchoing || text === undefined) return
    clock.after(behaviour.statuses.length * STEP_MS + REPLY_MS, () =>
      this.receive(session, { from, content: { type: 'text', text }, quoted }),
    )
  }

  /**
   * Each status sets the timer of the next, because timers of different lengths that are late together fire in any
   * order.
   */
  #reportEach(session: DeviceSession, message: SentMessage, [status, ...later]: readonly DeliveryStatus[]): void {
    if (status === undefined) return
    this.#report(session, message, status)
    if (later.length > 0) this.#parts.clock.after(STEP_MS, () => this.#reportEach(session, message, later))
  }

  #report(session: DeviceSession, message: SentMessage, status: DeliveryStatus): void {
    message.status = status
    const { externalMessageId, messageId } = message
    const event: BridgeEvent = {
      ev: 'message.status',
      externalMessageId,
      ...(messageId === null ? {} : { messageId }),
      status,
      timestamp: this.#parts.clock.now(),
    }
    session.emit(
      status === 'FAILED'
        ? { ...event, error: { code: 'FAILED', message: 'The message could not be delivered', retryable: false } }
        : event,
    )
  }
}
