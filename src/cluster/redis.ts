import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { NodeId } from '../domain/ids.ts'
import type { Asks } from '../ports/asks.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { RateDecision, RateLimiter } from '../ports/rate-limiter.ts'
import { RedisAsks } from './asks-redis.ts'
import { LocalBroadcast, LocalRateLimiter } from './local.ts'
import { decide, tokensMs } from './token-bucket.ts'
import type { Wire } from './wire.ts'

export interface RedisOptions {
  readonly url: string
  /** Prefix of every key and channel, because installations may share a Redis. */
  readonly prefix?: string
  readonly clock: Clock
  readonly log: Log
  /** How long a command may wait for its answer, in ms; `COMMAND_TIMEOUT_MS` when absent. */
  readonly commandTimeoutMs?: number
}

/** The parts that nodes share through Redis. Broadcast and rate limiter go on within the node while Redis is away. */
export interface RedisCluster {
  readonly broadcast: Broadcast
  readonly rateLimiter: RateLimiter
  /** Joins the asks between nodes under this node's name; `secret` is INTERNAL_SECRET. */
  joinAsks(nodeId: NodeId, secret: string): Promise<Asks>
  /** True while the connection stands; asked by the readiness check. */
  isUp(): boolean
  close(): Promise<void>
}

const PREFIX = 'channel-messaging:'
/** our choice: a request waits at most this long for Redis; after a failure it does not wait at all during PAUSE_MS. */
const COMMAND_TIMEOUT_MS = 250
const PAUSE_MS = 1_000
/** our choice: a start waits at most this long for a server that does not answer. */
const FIRST_MS = 2_000
/**
 * our choice: a stop waits at most this long for the server to confirm that this node is no longer heard, and for the
 * last answers.
 */
const LAST_MS = 1_000

/**
 * The token bucket of token-bucket.ts in one atomic step, by the server's clock. KEYS[1] holds the ms at which the
 * bucket is full; ARGV: ms of the tokens, 1 to take or 0 to look. Answers whether they fit, and the debt in ms before
 * it.
 */
const BUCKET = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local full = tonumber(redis.call('GET', KEYS[1]) or '0')
local debt = math.max(0, full - now)
local tokens = tonumber(ARGV[1])
local fits = debt + tokens <= 60000.000001
if fits and ARGV[2] == '1' then
  redis.call('SET', KEYS[1], string.format('%.6f', now + debt + tokens), 'PX', math.ceil(debt + tokens))
end
return { fits and 1 or 0, string.format('%.6f', debt) }
`

class RedisRateLimiter implements RateLimiter {
  #redis: Redis
  #prefix: string
  #clock: Clock
  #local: LocalRateLimiter
  #pausedUntilMs = 0

  constructor(redis: Redis, prefix: string, clock: Clock) {
    this.#redis = redis
    this.#prefix = prefix
    this.#clock = clock
    this.#local = new LocalRateLimiter(clock)
  }

  async take(bucket: string, perMinute: number, tokens = 1): Promise<RateDecision> {
    const takenMs = tokensMs(perMinute, tokens)
    const shared = await this.#run(bucket, takenMs, '1')
    if (!shared) return this.#local.take(bucket, perMinute, tokens)
    return decide(shared.isFitting, shared.debtMs + (shared.isFitting ? takenMs : 0), perMinute, tokens)
  }

  async peek(bucket: string, perMinute: number): Promise<RateDecision> {
    const shared = await this.#run(bucket, tokensMs(perMinute), '0')
    return shared ? decide(shared.isFitting, shared.debtMs, perMinute) : this.#local.peek(bucket, perMinute)
  }

  /** Whether tokens of `takenMs` fit and the debt before them, or null while Redis does not answer. */
  async #run(bucket: string, takenMs: number, take: '0' | '1'): Promise<{ isFitting: boolean; debtMs: number } | null> {
    if (this.#redis.status !== 'ready' || this.#clock.monotonicMs() < this.#pausedUntilMs) return null
    try {
      const answer = await this.#redis.eval(BUCKET, 1, `${this.#prefix}rate:${bucket}`, String(takenMs), take)
      return Array.isArray(answer) ? { isFitting: answer[0] === 1, debtMs: Number(answer[1]) } : null
    } catch {
      this.#pausedUntilMs = this.#clock.monotonicMs() + PAUSE_MS
      return null
    }
  }
}

/** Broadcast through Redis. Listeners on this node hear at once and always, other nodes by best effort. */
class RedisBroadcast implements Broadcast {
  #publisher: Redis
  #subscriber: Redis
  #prefix: string
  #local: LocalBroadcast
  #log: Log
  #origin = randomUUID()

  constructor(publisher: Redis, subscriber: Redis, prefix: string, log: Log) {
    this.#publisher = publisher
    this.#subscriber = subscriber
    this.#prefix = `${prefix}topic:`
    this.#local = new LocalBroadcast(log)
    this.#log = log
    subscriber.on('message', (channel: string, message: string) => {
      if (!channel.startsWith(this.#prefix)) return
      const cut = message.indexOf(' ')
      if (message.slice(0, cut) !== this.#origin)
        this.#local.deliver(channel.slice(this.#prefix.length), message.slice(cut + 1))
    })
  }

  async publish(topic: string, text: string): Promise<void> {
    this.#local.deliver(topic, text)
    if (this.#publisher.status !== 'ready') return
    try {
      await this.#publisher.publish(this.#prefix + topic, `${this.#origin} ${text}`)
    } catch {
      this.#log.warn({ topic }, 'broadcast did not reach the other nodes')
    }
  }

  subscribe(topic: string, listener: (text: string) => void): void {
    this.#local.subscribe(topic, listener)
    // The client keeps the subscription and repeats it after each reconnect.
    void this.#subscriber.subscribe(this.#prefix + topic).catch(() => {})
  }
}

/** The two connections to Redis as a wire between nodes. */
function wireOf(publisher: Redis, subscriber: Redis, clock: Clock): Wire {
  const listeners = new Map<string, (text: string) => void>()
  subscriber.on('message', (channel: string, text: string) => listeners.get(channel)?.(text))
  return {
    isUp: () => publisher.status === 'ready',
    publish: (channel, text) => publisher.publish(channel, text),
    async subscribe(channel, listener) {
      listeners.set(channel, listener)
      const late = Promise.withResolvers<void>()
      const timer = clock.after(FIRST_MS, late.resolve)
      // The client keeps the subscription and repeats it after each reconnect.
      await Promise.race([
        subscriber.subscribe(channel).then(
          () => {},
          () => {},
        ),
        late.promise,
      ])
      timer.cancel()
    },
    async unsubscribe(channel) {
      // Only a server that stands alone confirms this, because nobody publishes through another one.
      if (subscriber.status !== 'ready') return
      const late = Promise.withResolvers<void>()
      const timer = clock.after(LAST_MS, late.resolve)
      await Promise.race([
        subscriber.unsubscribe(channel).then(
          () => {},
          () => {},
        ),
        late.promise,
      ])
      timer.cancel()
    },
  }
}

/** Logs once that Redis is away, and once that it is back, however many connections there are. */
function watch(connections: readonly Redis[], log: Log): void {
  const down = new Set<Redis>()
  for (const redis of connections) {
    redis.on('error', (error: Error & { code?: string }) => {
      if (down.size === 0)
        log.warn(
          { error: error.message || error.code },
          'REDIS_URL is not reachable; limits and wake-ups stay within this node until it is',
        )
      down.add(redis)
    })
    redis.on('ready', () => {
      if (down.delete(redis) && down.size === 0) log.info({}, 'redis is reachable again')
    })
  }
}

/** Waits for the first connection, but at most FIRST_MS. */
async function settleFirst(redis: Redis, clock: Clock): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => {
    clock.after(FIRST_MS, resolve)
    redis.once('ready', resolve)
    redis.once('error', () => resolve())
    redis.once('close', resolve)
  })
}

/**
 * Connects to Redis or Valkey. Never throws for an unreachable server: it keeps trying and works within the node
 * meanwhile.
 */
export async function openRedis(options: RedisOptions): Promise<RedisCluster> {
  const prefix = options.prefix ?? PREFIX
  const commands = new Redis(options.url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS,
  })
  const subscriber = new Redis(options.url, { maxRetriesPerRequest: null })
  watch([commands, subscriber], options.log)
  const wire = wireOf(commands, subscriber, options.clock)
  await Promise.all([settleFirst(commands, options.clock), settleFirst(subscriber, options.clock)])
  let joined: RedisAsks | null = null
  return {
    broadcast: new RedisBroadcast(commands, subscriber, prefix, options.log),
    rateLimiter: new RedisRateLimiter(commands, prefix, options.clock),
    joinAsks: async (nodeId, secret) =>
      (joined = await RedisAsks.open({ wire, prefix, nodeId, secret, clock: options.clock, log: options.log })),
    isUp: () => commands.status === 'ready',
    async close() {
      await joined?.close(LAST_MS)
      commands.disconnect()
      subscriber.disconnect()
    },
  }
}
