import { Redis } from 'ioredis'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { REGISTER_TTL_MS } from '../ports/media-register.ts'
import type { MediaHostEntry, MediaRegister } from '../ports/media-register.ts'
import { SignedEntries } from './signed-entry.ts'

export interface RedisMediaRegisterOptions {
  readonly url: string
  /** Prefix of every key, because installations may share a Redis. */
  readonly prefix?: string
  readonly internalSecret: string
  readonly clock: Clock
  readonly log: Log
}

const PREFIX = 'channel-messaging:'
/** our choice: each caller puts or lists again soon. */
const COMMAND_TIMEOUT_MS = 1_000
/** our choice: most hosts that a gateway looks at; each holds a hundred calls. */
const MAX_HOSTS = 1_000
/** our choice: a start waits no longer than this for the first connection. */
const FIRST_MS = 2_000

/**
 * KEYS: when each host's entry expires, by the server's clock; the entries. ARGV: host, entry, lifetime in ms. Expired
 * entries are removed, and with the last host both keys go.
 */
const PUT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do
  redis.call('ZREM', KEYS[1], gone)
  redis.call('HDEL', KEYS[2], gone)
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
redis.call('PEXPIRE', KEYS[2], ARGV[3] * 2)
return 1
`

/** KEYS as above. ARGV: most hosts. Answers host, entry, host, entry, ... */
const LIST = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for _, host in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'LIMIT', 0, ARGV[1])) do
  local entry = redis.call('HGET', KEYS[2], host)
  if entry then
    answer[#answer + 1] = host
    answer[#answer + 1] = entry
  end
end
return answer
`

/** The register in Redis or Valkey, on a connection of its own that reconnects for ever. */
class RedisMediaRegister implements MediaRegister {
  readonly #redis: Redis
  readonly #keys: readonly [string, string]
  readonly #entries: SignedEntries
  readonly #clock: Clock
  readonly #log: Log
  #hasWarned = false

  constructor(redis: Redis, prefix: string, { internalSecret, clock, log }: RedisMediaRegisterOptions) {
    this.#redis = redis
    this.#entries = new SignedEntries(internalSecret)
    // The braces keep both keys on one node of a Redis cluster.
    const name = `${prefix}{media-hosts:${this.#entries.name}}`
    this.#keys = [`${name}:until`, `${name}:entries`]
    this.#clock = clock
    this.#log = log
  }

  async put(entry: MediaHostEntry): Promise<void> {
    await this.#redis.eval(
      PUT,
      2,
      ...this.#keys,
      entry.hostId,
      this.#entries.write(entry, this.#clock.now()),
      String(REGISTER_TTL_MS),
    )
  }

  async remove(hostId: string): Promise<void> {
    await this.#redis.multi().zrem(this.#keys[0], hostId).hdel(this.#keys[1], hostId).exec()
  }

  async list(): Promise<MediaHostEntry[]> {
    const answer = await this.#redis.eval(LIST, 2, ...this.#keys, String(MAX_HOSTS))
    const texts = Array.isArray(answer) ? answer.map(String) : []
    const entries: MediaHostEntry[] = []
    for (let i = 0; i + 1 < texts.length; i += 2) {
      const read = this.#entries.read(texts[i] ?? '', texts[i + 1] ?? '', this.#clock.now())
      if (read.kind === 'entry') entries.push(read.entry)
      else this.#warn(read.kind)
    }
    return entries
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
  }

  /** Warns once, so that a flood of bad entries does not flood the log. */
  #warn(kind: 'foreign' | 'unreadable'): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#log.warn(
      { kind },
      'an entry in the register of media hosts is ignored: it was written without INTERNAL_SECRET, by another version, or by a clock more than 5 minutes off',
    )
  }
}

/** Connects to the register. Never throws for an unreachable server: each request rejects until it is back. */
export async function openRedisMediaRegister(options: RedisMediaRegisterOptions): Promise<MediaRegister> {
  const { url, prefix = PREFIX, clock, log } = options
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
  })
  let isAway = false
  redis.on('error', (error: Error & { code?: string }) => {
    if (!isAway)
      log.warn(
        { error: error.message || error.code },
        'REDIS_URL is not reachable; media hosts that come or go are not noticed until it is',
      )
    isAway = true
  })
  const first = Promise.withResolvers<void>()
  redis.on('ready', () => {
    isAway = false
    first.resolve()
  })
  redis.once('close', first.resolve)
  const patience = clock.after(FIRST_MS, first.resolve)
  await first.promise
  patience.cancel()
  return new RedisMediaRegister(redis, prefix, options)
}
