import { createHash, randomUUID } from 'node:crypto'
import type { Change } from './changes.ts'
import { outgoingContext } from './contexts.ts'
import { outgoingCacheOf, type OutgoingName } from './outgoing-cache.ts'
import type { OutgoingMessage } from './outgoing-message.ts'
import type { Parts } from './parts.ts'
import type { OutgoingRow, Query } from './queries.ts'

/** our choice: how long, in ms, peers that could not read a message may ask for it again. */
export const OUTGOING_MS = 72 * 60 * 60 * 1_000

/** The sent messages of one number: one row for each id of the gateway, written before the message goes out. */
export interface OutgoingStore {
  find(messageId: string): Promise<OutgoingMessage | null>
  byExternalId(externalId: string): Promise<OutgoingMessage | null>
  /** Resolves once the row is on the disk. */
  begin(message: Omit<OutgoingMessage, 'state'>): Promise<void>
  /**
   * Marks a message as sent, with a delay. Until it is on the disk nobody knows whether the message went out, and a
   * repetition finds out.
   */
  markSent(messageId: string): Promise<void>
  /** Notes that the network named the message, so it went out; soon on the disk. */
  noteArrived(externalId: string): Promise<void>
  /** Deletes a row whose message surely never went out. */
  undo(messageId: string): Promise<void>
}

/**
 * The network's id of a message, derived from the gateway's, so that a repeated send has the same and phones show it
 * once. It has the form of the library's own ids.
 */
export function externalIdOf(numberId: string, messageId: string): string {
  return `3EB0${createHash('sha256')
    .update(JSON.stringify([numberId, messageId]))
    .digest('hex')
    .slice(0, 18)
    .toUpperCase()}`
}

/** Begins the names of rows that hold a change of an earlier message: no id of the gateway begins so. */
const CHANGE = 'change '

/** A new name for the row of a change. */
export function changeName(): string {
  return `${CHANGE}${randomUUID()}`
}

/** True for the name of a row that holds a change, which has no statuses of its own. */
export function isChange(messageId: string): boolean {
  return messageId.startsWith(CHANGE)
}

const QUERY_BY = { messageId: 'outgoing', externalId: 'outgoingByExternalId' } as const satisfies Record<
  OutgoingName,
  Query
>

/** A message is looked up some six times while it is sent and its receipts come, so the last ones are cached. */
export function outgoingOf({ numberId, reader, writer, seal, cache, now }: Parts): OutgoingStore {
  const cached = outgoingCacheOf(cache, now)
  /** Messages whose mark is on its way to the disk. */
  const marking = new Map<string, Promise<void>>()
  /** Counts writes, because what was read before a write and comes after it is old. */
  let writes = 0

  function open(row: OutgoingRow | undefined): OutgoingMessage | null {
    if (!row) return null
    const { jid, message } = JSON.parse(seal.open(outgoingContext(numberId, row.message_id), row.value).toString()) as {
      jid: string
      message: string
    }
    return {
      messageId: row.message_id,
      externalId: row.external_id,
      state: row.state,
      jid,
      message: Buffer.from(message, 'base64'),
    }
  }

  async function look(name: OutgoingName, id: string): Promise<OutgoingMessage | null> {
    const known = cached.get(name, id)
    if (known !== undefined) return known
    const before = writes
    const [row] = await reader.read(QUERY_BY[name], { numberId, [name]: id })
    const found = open(row)
    if (writes !== before) return found
    if (found) cached.set(found)
    else cached.setNone(name, id)
    return found
  }

  /**
   * Waits for a commit that changes a message. What is cached of it is what is committed, neither ahead of it nor
   * behind; `then` is what the message is after it, null when that is not known.
   */
  async function committed(
    messageId: string,
    commit: Promise<readonly number[]>,
    then: (changed: number) => OutgoingMessage | null,
  ): Promise<void> {
    try {
      const [changed = 0] = await commit
      cached.delete('messageId', messageId)
      const message = then(changed)
      if (message) cached.set(message)
    } catch (error) {
      cached.delete('messageId', messageId)
      throw error
    } finally {
      writes += 1
    }
  }

  function mark(messageId: string): Promise<void> {
    const sent: readonly Change[] = [{ op: 'outgoing.sent', numberId, messageId }]
    const before = cached.get('messageId', messageId)
    return committed(
      messageId,
      writer.writeSoon(() => sent),
      () => (before ? { ...before, state: 'SENT' } : null),
    )
  }

  /** Several say at once that a message went out; only the first of them writes. */
  function markOnce(messageId: string): Promise<void> {
    const marked = marking.get(messageId) ?? mark(messageId).finally(() => marking.delete(messageId))
    marking.set(messageId, marked)
    return marked
  }

  return {
    find: (messageId) => look('messageId', messageId),
    byExternalId: (externalId) => look('externalId', externalId),
    async begin(begun) {
      const { messageId, externalId, jid, message } = begun
      const plain = Buffer.from(JSON.stringify({ jid, message: Buffer.from(message).toString('base64') }))
      const value = seal.seal(outgoingContext(numberId, messageId), plain)
      const put: Change = { op: 'outgoing.put', numberId, messageId, externalId, value, at: now() }
      await committed(messageId, writer.write([put]), (added) => {
        if (added === 1) return { ...begun, state: 'PENDING' }
        // Either id is taken, and the row of before stays.
        cached.delete('externalId', externalId)
        return null
      })
    },
    async markSent(messageId) {
      if (cached.get('messageId', messageId)?.state !== 'SENT') await markOnce(messageId)
    },
    async noteArrived(externalId) {
      const message = await look('externalId', externalId)
      if (message?.state === 'PENDING') await markOnce(message.messageId)
    },
    async undo(messageId) {
      await committed(messageId, writer.write([{ op: 'outgoing.remove', numberId, messageId }]), () => null)
    },
  }
}
