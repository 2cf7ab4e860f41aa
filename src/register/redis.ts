import { Redis } from 'ioredis'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { REGISTER_TTL_MS } from '../ports/register.ts'
import type { Register } from '../ports/register.ts'
import type { EntryKind } from './entry-kind.ts'
import { SignedEntries } from './signed-entry.ts'

export interface RedisRegisterOptions {
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
/** our choice: most programs that a gateway looks at. */
const MAX_ENTRIES = 1_000
/** our choice: a start waits no longer than this for the first connection. */
const FIRST_MS = 2_000

/**
 * KEYS: when each program's entry expires, by the server's clock; the entries. ARGV: id, entry, lifetime in ms. Expired
 * entries are removed, and with the last entry both keys go.
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

/** KEYS as above. ARGV: most entries. Answers id, entry, id, entry, ... */
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
class RedisRegister<Entry extends object> implements Register<Entry> {
  readonly #kind: EntryKind<Entry>
  readonly #redis: Redis
  readonly #keys: readonly [string, string]
  readonly #entries: SignedEntries<Entry>
  readonly #clock: Clock
  readonly #log: Log
  #hasWarned = false

  constructor(
    kind: EntryKind<Entry>,
    redis: Redis,
    { prefix = PREFIX, internalSecret, clock, log }: RedisRegisterOptions,
  ) {
    this.#kind = kind
    this.#redis = redis
    this.#entries = new SignedEntries(kind, internalSecret)
    // The braces keep both keys on one node of a Redis cluster.
    const name = `${prefix}{${kind.keys}:${this.#entries.name}}`
    this.#keys = [`${name}:until`, `${name}:entries`]
    this.#clock = clock
    this.#log = log
  }

  async put(entry: Entry): Promise<void> {
    await this.#redis.eval(
      PUT,
      2,
      ...this.#keys,
      this.#kind.idOf(entry),
      this.#entries.write(entry, this.#clock.now()),
      String(REGISTER_TTL_MS),
    )
  }

  async remove(id: string): Promise<void> {
    await this.#redis.multi().zrem(this.#keys[0], id).hdel(this.#keys[1], id).exec()
  }

  async list(): Promise<Entry[]> {
    const answer = await this.#redis.eval(LIST, 2, ...this.#keys, String(MAX_ENTRIES))
    const texts = Array.isArray(answer) ? answer.map(String) : []
    const entries: Entry[] = []
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
      `an entry in the register of ${this.#kind.programs} is ignored: it was written without INTERNAL_SECRET, by another version, or by a clock more than 5 minutes off`,
    )
  }
}

/** Connects to the register. Never throws for an unreachable server: each request rejects until it is back. */
export async function openRedisRegister<Entry extends object>(
  kind: EntryKind<Entry>,
  options: RedisRegisterOptions,
): Promise<Register<Entry>> {
  const { url, clock, log } = options
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
        `REDIS_URL is not reachable; ${kind.programs} that come or go are not noticed until it is`,
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
  return new RedisRegister(kind, redis, options)
}
