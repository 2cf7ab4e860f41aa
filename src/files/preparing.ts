import { BoundedMemory } from '../domain/bounded-memory.ts'
import { SharedWork } from '../domain/shared-work.ts'
import type { Log } from '../ports/log.ts'
import type { MediaOrder, PreparedMedia, Preparation } from '../ports/message-media.ts'
import type { Counter, Histogram, Metrics } from '../ports/metrics.ts'
import { givenUp, prepareMedia } from './preparation.ts'
import type { PreparationParts } from './preparation.ts'

/** Our choice: a campaign sends one picture to many, and a changed file is noticed after this long. */
const REUSE_MS = 10 * 60_000
/** Our choice, for all numbers together; the oldest are dropped first. */
const REUSED_MOST = 1_000
const SECONDS = [0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 180]

/**
 * Prepares the media of each order once: concurrent orders share it, and an order soon after reuses it. Both only
 * within one number.
 */
export class Preparing {
  readonly #parts: PreparationParts
  readonly #log: Log
  readonly #outcomes: Counter
  readonly #seconds: Histogram
  readonly #sharing = new SharedWork<Preparation>()
  /** What was prepared lately, by order. */
  readonly #prepared = new BoundedMemory<{ readonly media: PreparedMedia; readonly atMs: number }>({
    most: REUSED_MOST,
  })

  constructor(parts: PreparationParts, log: Log, metrics: Metrics) {
    this.#parts = parts
    this.#log = log
    this.#outcomes = metrics.counter('message_media_total', 'Media of messages prepared, by kind and outcome.', [
      'kind',
      'outcome',
    ])
    this.#seconds = metrics.histogram('message_media_seconds', 'Time to fetch, check and convert a media.', SECONDS, [
      'kind',
    ])
  }

  /** Prepares the media of an order. Never rejects. */
  async prepare(order: MediaOrder, signal: AbortSignal): Promise<Preparation> {
    const key = JSON.stringify([
      order.tenantId,
      order.numberId,
      order.provider,
      order.kind,
      order.source,
      order.fileName,
    ])
    const known = await this.#reuse(key)
    if (known) return { ok: true, media: known }
    return (await this.#sharing.joinUntil(signal, key, (shared) => this.#prepare(order, key, shared))) ?? givenUp()
  }

  async #prepare(order: MediaOrder, key: string, signal: AbortSignal): Promise<Preparation> {
    const { clock } = this.#parts
    const startedMs = clock.monotonicMs()
    const prepared = await prepareMedia(this.#parts, order, signal)
    const seconds = (clock.monotonicMs() - startedMs) / 1_000
    const outcome = prepared.ok ? 'ok' : prepared.failure.code
    this.#outcomes.add({ kind: order.kind, outcome })
    this.#seconds.observe(seconds, { kind: order.kind })
    this.#log.debug({ numberId: order.numberId, kind: order.kind, outcome, seconds }, 'media prepared')
    if (prepared.ok) this.#prepared.set(key, { media: prepared.media, atMs: clock.monotonicMs() })
    return prepared
  }

  /** Gives what the same order brought lately, while the file still exists; null otherwise. */
  async #reuse(key: string): Promise<PreparedMedia | null> {
    const known = this.#prepared.get(key)
    if (!known) return null
    const isFresh = this.#parts.clock.monotonicMs() - known.atMs <= REUSE_MS
    const found = isFresh ? await this.#parts.shelf.find(known.media.fileId).catch(() => null) : null
    if (found) return { ...known.media, path: found.path }
    if (this.#prepared.get(key) === known) this.#prepared.delete(key)
    return null
  }
}
