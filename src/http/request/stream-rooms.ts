import { RefusalError, refuse } from '../../domain/errors.ts'
import type { EmbedSessionId, TenantId, WebSessionId } from '../../domain/ids.ts'
import { Tally } from '../../domain/tally.ts'
import type { Gauge } from '../../ports/metrics.ts'

/** Bounds of the streams of a node, and of their bytes that readers have not taken yet. */
export interface StreamBounds {
  readonly mostOfSession: number
  readonly mostOfTenant: number
  readonly most: number
  readonly mostUnsentOfTenant: number
  readonly mostUnsent: number
}

/**
 * [embeds.stream.6]: a sixth stream of a session is refused; our choice: all bounds count on each node. Streams take
 * half of a node's connections at most, so that requests have the rest. Their unsent bytes are bounded like those of
 * other answers.
 */
export const STREAM_BOUNDS: StreamBounds = {
  mostOfSession: 5,
  mostOfTenant: 2_000,
  most: 5_000,
  mostUnsentOfTenant: 32_000_000,
  mostUnsent: 128_000_000,
}

/** our choice, in s: as long as a reader waits anyway. */
const RETRY_SECONDS = 3

/** The place of one stream. */
export interface StreamPlace {
  /** Reports how many bytes of the stream wait to be sent. */
  unsent(bytes: number): void
  /** Gives the place back. Idempotent. */
  leave(): void
}

type SessionId = EmbedSessionId | WebSessionId

interface Open {
  readonly sessionId: SessionId
  readonly tenantId: TenantId
  readonly cut: () => void
  unsent: number
}

/**
 * Bounds streams by session, by tenant and in all. When too many bytes wait unsent, of a tenant or in all, the reader
 * that is furthest behind is cut.
 */
export class StreamRooms {
  readonly #bounds: StreamBounds
  readonly #gauge: Pick<Gauge, 'set'>
  readonly #open = new Set<Open>()
  readonly #counts = new Tally<SessionId | TenantId>()
  readonly #unsent = new Tally<TenantId>()
  #unsentInAll = 0

  /** `gauge` is told how many streams are open. */
  constructor(bounds: StreamBounds, gauge: Pick<Gauge, 'set'>) {
    this.#bounds = bounds
    this.#gauge = gauge
  }

  /** How many streams are open. */
  get size(): number {
    return this.#open.size
  }

  /**
   * Takes a place for a stream, which `cut` ends at once. Throws 429 RATE_LIMITED when its session or tenant has too
   * many streams, 503 BUSY when this node has.
   */
  enter(sessionId: SessionId, tenantId: TenantId, cut: () => void): StreamPlace {
    const { mostOfSession, mostOfTenant, most } = this.#bounds
    if (this.#counts.of(sessionId) >= mostOfSession)
      throw new RefusalError(
        refuse('RATE_LIMITED', `A session has at most ${mostOfSession} streams`, undefined, RETRY_SECONDS),
      )
    if (this.#counts.of(tenantId) >= mostOfTenant)
      throw new RefusalError(
        refuse('RATE_LIMITED', `A tenant has at most ${mostOfTenant} streams`, undefined, RETRY_SECONDS),
      )
    if (this.size >= most)
      throw new RefusalError(refuse('BUSY', 'Too many streams are open. Try again.', undefined, RETRY_SECONDS))
    const open: Open = { sessionId, tenantId, cut, unsent: 0 }
    this.#open.add(open)
    this.#gauge.set(this.size)
    this.#count(open, 1)
    return { unsent: (bytes) => this.#note(open, bytes), leave: () => this.#leave(open) }
  }

  #leave(open: Open): void {
    if (!this.#open.delete(open)) return
    this.#gauge.set(this.size)
    this.#count(open, -1)
    this.#add(open, -open.unsent)
  }

  #note(open: Open, bytes: number): void {
    if (!this.#open.has(open)) return
    this.#add(open, bytes - open.unsent)
    open.unsent = bytes
    const { mostUnsentOfTenant, mostUnsent } = this.#bounds
    if (this.#unsent.of(open.tenantId) > mostUnsentOfTenant) this.#cutSlowest(open.tenantId)
    if (this.#unsentInAll > mostUnsent) this.#cutSlowest(null)
  }

  /** Cuts the reader that is furthest behind, of a tenant, or of all when `tenantId` is null. */
  #cutSlowest(tenantId: TenantId | null): void {
    let slowest: Open | null = null
    for (const open of this.#open) {
      if ((tenantId === null || open.tenantId === tenantId) && open.unsent > (slowest?.unsent ?? 0)) slowest = open
    }
    if (!slowest) return
    this.#leave(slowest)
    slowest.cut()
  }

  #count({ sessionId, tenantId }: Open, by: number): void {
    this.#counts.add(sessionId, by)
    this.#counts.add(tenantId, by)
  }

  #add({ tenantId }: Open, bytes: number): void {
    this.#unsentInAll += bytes
    this.#unsent.add(tenantId, bytes)
  }
}
