import type { OutgoingMessage } from './outgoing-message.ts'
import type { ValueCache } from './value-cache.ts'

/**
 * our choice: how long, in ms, a sent message is answered from memory. Receipts of most come within seconds; purges,
 * which delete messages after days, need not be heard.
 */
const KEPT_MS = 10 * 60 * 1_000
/** our choice: the bytes that a message counts for beside its own, for its names and what holds them. */
const OVERHEAD_BYTES = 500

/** By which of its ids a message is looked up. */
export type OutgoingName = 'messageId' | 'externalId'

interface Kept {
  /** Null for an id that no message has; for an upstream id, the message's id alone. */
  readonly value: OutgoingMessage | string | null
  readonly atMs: number
}

/** Sent messages of one number that were written or read last, by both ids; also that an id has none. */
export interface OutgoingCache {
  /** The message, null when there is none; undefined when that is not known here. */
  get(name: OutgoingName, id: string): OutgoingMessage | null | undefined
  set(message: OutgoingMessage): void
  setNone(name: OutgoingName, id: string): void
  delete(name: OutgoingName, id: string): void
}

export function outgoingCacheOf(cache: ValueCache, now: () => number): OutgoingCache {
  const placeOf = (name: OutgoingName, id: string): string => `outgoing ${name} ${id}`

  function valueOf(name: OutgoingName, id: string): Kept['value'] | undefined {
    const kept = cache.get(placeOf(name, id)) as Kept | undefined
    return kept && now() - kept.atMs < KEPT_MS ? kept.value : undefined
  }

  function keep(name: OutgoingName, id: string, value: Kept['value'], bytes: number): void {
    cache.set(placeOf(name, id), { value, atMs: now() } satisfies Kept, bytes + OVERHEAD_BYTES)
  }

  return {
    get(name, id) {
      const value = valueOf(name, id)
      return typeof value === 'string' ? (valueOf('messageId', value) as OutgoingMessage | null | undefined) : value
    },
    set(message) {
      keep('messageId', message.messageId, message, message.message.byteLength)
      keep('externalId', message.externalId, message.messageId, 0)
    },
    setNone: (name, id) => keep(name, id, null, 0),
    delete: (name, id) => cache.delete(placeOf(name, id)),
  }
}
