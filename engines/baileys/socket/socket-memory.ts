import type { CacheStore, SocketConfig, WASocket } from 'baileys'
import { Expiring, type ExpiringLimits } from '../process/expiring.ts'

/** The library's own times and sizes, in ms and values. */
const MINUTE_MS = 60_000
const USER_DEVICES: ExpiringLimits = { ttlMs: 5 * MINUTE_MS }
const CALL_OFFER: ExpiringLimits = { ttlMs: 5 * MINUTE_MS }
const MESSAGE_RETRY: ExpiringLimits = { ttlMs: 60 * MINUTE_MS }
const RECENT_MESSAGES: ExpiringLimits = { ttlMs: 5 * MINUTE_MS, max: 512 }
const BASE_KEYS: ExpiringLimits = { ttlMs: 15 * MINUTE_MS, max: 1_024 }

/** Stands between a recent message's chat and its id in the library's keys. */
const KEY_SEPARATOR = '\u0000'

type Caches = Required<
  Pick<SocketConfig, 'msgRetryCounterCache' | 'userDevicesCache' | 'callOfferCache' | 'placeholderResendCache'>
>

/** A cache in the library's words. */
class SocketCache implements CacheStore {
  readonly #kept: Expiring<unknown>

  constructor(limits: ExpiringLimits) {
    this.#kept = new Expiring(limits)
  }

  get<T>(key: string): T | undefined {
    return this.#kept.get(key) as T | undefined
  }

  set<T>(key: string, value: T): void {
    this.#kept.set(key, value)
  }

  del(key: string): void {
    this.#kept.delete(key)
  }

  flushAll(): void {
    this.#kept.clear()
  }
}

/**
 * The caches of one socket. Those that the library makes itself take 23 KiB before anything is in them. They are not
 * shared by numbers, because their keys name a message, a call or a person, and not the number that knows it.
 */
export function socketCaches(): Caches {
  return {
    msgRetryCounterCache: new SocketCache(MESSAGE_RETRY),
    userDevicesCache: new SocketCache(USER_DEVICES),
    callOfferCache: new SocketCache(CALL_OFFER),
    placeholderResendCache: new SocketCache(MESSAGE_RETRY),
  }
}

/** Forgets what a socket knew, because it ended; the library leaves caches that it was given alone. */
export function forgetCaches(caches: Caches): void {
  for (const cache of Object.values(caches)) void cache.flushAll()
}

/** What the library's record of repeated messages holds, which its types do not show. */
interface RetryMemory {
  recentMessagesMap: unknown
  baseKeys: unknown
  readonly messageKeyIndex: Map<string, string>
}

/**
 * Replaces two tables of the library's record of repeated messages by ones that grow, and returns the socket. Its own
 * take the memory of all the messages they may hold, 70 KiB a socket, from the start. Call it before the socket
 * connects.
 */
export function growRetryTables<S extends Pick<WASocket, 'messageRetryManager'>>(sock: S): S {
  const { messageRetryManager } = sock
  if (messageRetryManager === null) return sock
  const memory = messageRetryManager as unknown as RetryMemory
  const { messageKeyIndex } = memory
  memory.recentMessagesMap = new Expiring({
    ...RECENT_MESSAGES,
    removed: (key) => messageKeyIndex.delete(key.slice(key.lastIndexOf(KEY_SEPARATOR) + 1)),
  })
  memory.baseKeys = new Expiring(BASE_KEYS)
  return sock
}
