import { refuse } from '../../src/domain/errors.ts'
import type { Refusal } from '../../src/domain/errors.ts'
import { newId, newSecretId } from '../../src/domain/ids.ts'
import type { ConversationId, FileId, MessageId, NumberId, TenantId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { Conversation } from '../../src/domain/message.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { ArrivingMedia, MediaOrder, MessageFiles } from '../../src/ports/message-media.ts'
import type {
  ClaimedAnswer,
  GroupQuery,
  HistoryQuery,
  ListedMessage,
  MessageStore,
  NewMessage,
  Page,
  ReadMark,
} from '../../src/ports/stores/message-store.ts'
import type { BatchCounts, MessageBatches, NewBatch } from '../../src/ports/stores/message-batches.ts'
import type { MemoryIdempotency } from './memory/idempotency.ts'

function paged<T>(rows: readonly T[], { page, pageSize }: Page) {
  return { items: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length }
}

/**
 * A scripted message store: reads return what a test put there, and accepted messages are recorded, not stored. Privacy
 * comes from the rows: a message that a test marks as redacted is returned so. The contract of the port is tested on
 * the database only.
 */
export class ScriptedMessages implements MessageStore {
  readonly rows: ListedMessage[] = []
  readonly talks: (Conversation & { readonly numberId: NumberId })[] = []
  readonly accepted: { readonly message: NewMessage; readonly claim: ClaimedAnswer | null }[] = []
  /** Queries that were made. */
  readonly asked: unknown[] = []
  readonly canceled: MessageId[] = []
  isGone = false
  /** Whether the template of a message is still as the message saw it. */
  isCurrent: (message: NewMessage) => boolean = () => true
  readonly #idempotency: MemoryIdempotency

  constructor(idempotency: MemoryIdempotency) {
    this.#idempotency = idempotency
  }

  add(number: ChannelNumber, fields: Partial<ListedMessage> = {}): ListedMessage {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, this.rows.length))
    const message: ListedMessage = {
      id: newId('msg'),
      tenantId: number.tenantId,
      numberId: number.id,
      provider: number.provider,
      conversationId: 'conv_1',
      direction: 'INBOUND',
      status: 'RECEIVED',
      type: 'text',
      content: { ...NO_CONTENT, text: 'Hi' },
      from: '5511999990001',
      fromName: 'Ana',
      to: number.number,
      externalMessageId: `ext-${this.rows.length}`,
      quotedMessageId: null,
      correlationId: null,
      template: null,
      isRedacted: false,
      createdAt: at,
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      editedAt: null,
      revokedAt: null,
      errorCode: null,
      errorMessage: null,
      groupId: null,
      groupName: null,
      conversationUnreadCount: 0,
      referral: null,
      ...fields,
    }
    this.rows.push(message)
    return message
  }

  talk(number: ChannelNumber, fields: Partial<Conversation> = {}): Conversation {
    const talk: Conversation & { readonly numberId: NumberId } = {
      id: newId('conv'),
      numberId: number.id,
      type: 'DIRECT',
      peer: '5511999990001',
      identities: [{ kind: 'PHONE', value: '5511999990001', since: new Date(0) }],
      peerName: 'Ana',
      unreadCount: 2,
      lastMessageAt: new Date(1_000),
      lastMessagePreview: 'Hi',
      windowExpiresAt: null,
      createdAt: new Date(0),
      ...fields,
    }
    this.talks.push(talk)
    return talk
  }

  async accept(message: NewMessage, claim: ClaimedAnswer | null) {
    if (this.isGone) return { kind: 'gone' } as const
    if (!this.isCurrent(message)) return { kind: 'stale' } as const
    if (claim) {
      const start = await this.#idempotency.start(claim.request)
      if (start.kind !== 'started') return start
      await this.#idempotency.finish(claim.request, claim.answer)
    }
    this.accepted.push({ message, claim })
    return { kind: 'accepted' } as const
  }

  async find(numberId: NumberId, anyId: string) {
    this.asked.push(anyId)
    const own = this.rows.filter((row) => row.numberId === numberId)
    return (
      own.find(({ id }) => id === anyId)
      ?? own.findLast(({ correlationId }) => correlationId === anyId)
      ?? own.find(({ externalMessageId }) => externalMessageId === anyId)
      ?? null
    )
  }

  /** The chats of messages: that of the writer of an inbound one, of the reader of an outbound one. */
  async talkOf(numberId: NumberId, by: { conversationId: string } | { address: string }) {
    const talk = this.talks.find(
      (row) => row.numberId === numberId && ('address' in by ? row.peer === by.address : row.id === by.conversationId),
    )
    if (!talk) return null
    const last = this.rows.findLast(
      ({ conversationId, direction }) => conversationId === talk.id && direction === 'INBOUND',
    )
    return { address: talk.peer, lastInboundId: last?.externalMessageId ?? null }
  }

  async chatOf(numberId: NumberId, messageId: MessageId, address: string) {
    const message = this.rows.find((row) => row.numberId === numberId && row.id === messageId)
    if (!message) return null
    const { groupId, direction, from, to } = message
    const peer = groupId ?? (direction === 'INBOUND' ? from : to)
    const type = groupId === null ? 'DIRECT' : 'GROUP'
    return { to: peer === null ? null : ({ type, address: peer } as const), isThere: peer === address }
  }

  isQueued = async () => false
  templateOf = () => Promise.reject(new Error('not a part of what HTTP uses'))

  async cancel(numberId: NumberId, ids: readonly string[]) {
    const own = this.rows
      .filter((row) => row.numberId === numberId && row.status === 'QUEUED' && ids.includes(row.id))
      .map(({ id }) => id)
    this.canceled.push(...own)
    return {
      cancelled: own,
      failed: ids.filter((id) => !own.some((one) => one === id)).map((id) => ({ id, reason: 'not waiting' })),
    }
  }

  async history(numberId: NumberId, query: HistoryQuery) {
    this.asked.push(query)
    return paged(
      this.rows.filter((row) => row.numberId === numberId && row.direction === query.direction).toReversed(),
      query,
    )
  }

  async unread(numberId: NumberId, page: Page) {
    this.asked.push(page)
    return paged(
      this.rows.filter((row) => row.numberId === numberId && row.conversationUnreadCount > 0).toReversed(),
      page,
    )
  }

  async ofGroups(numberId: NumberId, query: GroupQuery) {
    this.asked.push(query)
    return paged(
      this.rows
        .filter((row) => row.numberId === numberId && row.groupId !== null && row.direction === query.direction)
        .toReversed(),
      query,
    )
  }

  async conversations(numberId: NumberId, page: Page) {
    return paged(
      this.talks.filter((row) => row.numberId === numberId),
      page,
    )
  }

  async markConversationRead(numberId: NumberId, conversationId: ConversationId | string): Promise<ReadMark | null> {
    if (!this.talks.some((row) => row.numberId === numberId && row.id === conversationId)) return null
    return this.#mark(this.rows.filter((row) => row.numberId === numberId && row.conversationId === conversationId))
  }

  /** The ids that were marked as read, in order. */
  readonly marked: (readonly string[])[] = []

  async markRead(numberId: NumberId, messageIds: readonly string[]): Promise<ReadMark> {
    this.marked.push(messageIds)
    return this.#mark(
      this.rows.filter(
        (row) =>
          row.numberId === numberId
          && (messageIds.includes(row.id) || messageIds.includes(row.externalMessageId ?? '')),
      ),
    )
  }

  #mark(rows: readonly ListedMessage[]): ReadMark {
    return { count: rows.length, externalMessageIds: rows.flatMap(({ externalMessageId }) => externalMessageId ?? []) }
  }
}

/**
 * Scripted batches: what is accepted is recorded, counted as queued until it is canceled, and not stored. The contract
 * of the port is tested on the database.
 */
export class ScriptedBatches implements MessageBatches {
  readonly accepted: { readonly batch: NewBatch; readonly claim: ClaimedAnswer | null }[] = []
  readonly #canceled = new Set<string>()
  readonly #messages: ScriptedMessages
  readonly #idempotency: MemoryIdempotency

  constructor(messages: ScriptedMessages, idempotency: MemoryIdempotency) {
    this.#messages = messages
    this.#idempotency = idempotency
  }

  async accept(batch: NewBatch, claim: ClaimedAnswer | null) {
    if (this.#messages.isGone) return { kind: 'gone' } as const
    const places = batch.messages.flatMap((message, at) => (this.#messages.isCurrent(message) ? [] : [at]))
    if (places.length > 0) return { kind: 'stale', places } as const
    if (claim) {
      const start = await this.#idempotency.start(claim.request)
      if (start.kind !== 'started') return start
      await this.#idempotency.finish(claim.request, claim.answer)
    }
    this.accepted.push({ batch, claim })
    return { kind: 'accepted' } as const
  }

  #find(numberId: NumberId, id: string): NewBatch | undefined {
    return this.accepted.find(({ batch }) => batch.numberId === numberId && batch.id === id)?.batch
  }

  async find(numberId: NumberId, id: string): Promise<BatchCounts | null> {
    const batch = this.#find(numberId, id)
    if (!batch) return null
    const { length: accepted } = batch.messages
    const { perMinute, createdAt } = batch
    const counts = { [this.#canceled.has(id) ? 'CANCELED' : 'QUEUED']: accepted }
    return { id: batch.id, perMinute, createdAt, accepted, counts }
  }

  async cancel(numberId: NumberId, id: string) {
    const batch = this.#find(numberId, id)
    if (!batch) return null
    const count = this.#canceled.has(id) ? 0 : batch.messages.length
    this.#canceled.add(id)
    return count
  }
}

/**
 * Scripted files: an address in `refused` is refused so, all others are accepted; kept and released files are recorded.
 */
export class ScriptedFiles implements MessageFiles {
  readonly refused = new Map<string, Refusal>()
  /** A refusal that `keep` returns instead. */
  keepRefusal: Refusal | null = null
  readonly inspected: MediaOrder[] = []
  readonly kept = new Set<FileId>()
  readonly released: FileId[] = []
  readonly served = new Map<
    string,
    { readonly path: string; readonly mimeType: string; readonly sizeBytes: number; readonly fileName: string | null }
  >()

  async inspect(order: MediaOrder) {
    this.inspected.push(order)
    return 'url' in order.source ? (this.refused.get(order.source.url) ?? null) : (this.refused.get('bytes') ?? null)
  }

  async keep(_tenantId: TenantId, _numberId: NumberId, dataUri: string) {
    if (this.keepRefusal) return { ok: false, refusal: this.keepRefusal } as const
    const fileId = newSecretId('file')
    this.kept.add(fileId)
    return {
      ok: true,
      file: { fileId, mimeType: /^data:([^;,]*)/.exec(dataUri)?.[1] ?? '', sizeBytes: dataUri.length },
    } as const
  }

  /** Uploaded texts, by the placeholder of each. */
  readonly arrived = new Map<string, string>()
  dropped = 0

  async adopt(path: string, sizeBytes: number) {
    return { standIn: `data:application/octet-stream;base64,adopted:${path}:${sizeBytes}`, drop: () => {} }
  }

  arrive(beginning: string): ArrivingMedia | null {
    const head = /^data:[^,]*;base64,/.exec(beginning)?.[0]
    if (head === undefined) return null
    const standIn = `${head}arrived:${this.arrived.size}`.padEnd(8_192, ':')
    this.arrived.set(standIn, beginning)
    return {
      standIn,
      take: (text) => {
        this.arrived.set(standIn, (this.arrived.get(standIn) ?? '') + text)
        return null
      },
      end: async () => {},
      drop: async () => void this.dropped++,
    }
  }

  async open(fileId: string) {
    return this.served.get(fileId) ?? null
  }

  async locate(fileId: string) {
    const file = this.served.get(fileId)
    if (!file) return null
    return { mimeType: file.mimeType, fileName: file.fileName, path: async () => file.path, link: async () => null }
  }

  async release(fileIds: readonly FileId[]) {
    this.released.push(...fileIds)
    for (const id of fileIds) this.kept.delete(id)
  }

  async copy(fileId: string) {
    return this.kept.has(fileId as FileId)
      ? {
          standIn: `data:application/octet-stream;base64,copied:${fileId}`,
          fileName: null,
          drop: async () => void this.dropped++,
        }
      : null
  }

  hear = () => Promise.reject(new Error('not a part of what HTTP uses'))
  prepare = () => Promise.reject(new Error('not a part of what HTTP uses'))
  rehost = () => Promise.reject(new Error('not a part of what HTTP uses'))
  purge = () => Promise.reject(new Error('not a part of what HTTP uses'))
}

export const FORBIDDEN = refuse('MEDIA_URL_FORBIDDEN', 'must lead to a public address')
