import type { ServerResponse } from 'node:http'
import type { Caller } from '../../../domain/caller.ts'
import type { WebSession } from '../../../domain/web-session.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { EventPlace, JoinedTenant, TenantChange, TenantFeed, TenantListener } from '../../../ports/tenant-feed.ts'
import { EventStream } from '../../request/event-stream.ts'
import type { SessionEndings } from '../../request/session-endings.ts'
import { StreamRooms } from '../../request/stream-rooms.ts'
import type { StreamBounds, StreamPlace } from '../../request/stream-rooms.ts'
import { callFrame, FRAMES, framesOf, numberFrame, type Frame } from './present.ts'

export interface LiveDeps {
  readonly tenantFeed: TenantFeed
  readonly sessionEndings: SessionEndings
  readonly clock: Clock
  readonly metrics: Metrics
}

/** our choice: fewer than of inboxes, since people of an account have a dashboard open and not its customers. */
export const LIVE_BOUNDS: StreamBounds = {
  mostOfSession: 5,
  mostOfTenant: 500,
  most: 1_000,
  mostUnsentOfTenant: 32_000_000,
  mostUnsent: 64_000_000,
}

/**
 * [dashboard.stream.3]: events that a reader gets anew, and the bytes of their frames, which are half of what may wait
 * unsent. For more, reading anew is faster.
 */
const MOST_MISSED = 1_000
const MOST_MISSED_BYTES = 512 * 1024
/** [dashboard.stream.4]: numbers and live calls that a reader is told of when it comes. */
const MOST_STANDING = 1_000

/** Streams of dashboards on this node. */
export class LiveStreams {
  readonly #deps: LiveDeps
  readonly #rooms: StreamRooms

  constructor(deps: LiveDeps, bounds: StreamBounds = LIVE_BOUNDS) {
    this.#deps = deps
    this.#rooms = new StreamRooms(
      bounds,
      deps.metrics.gauge('dashboard_streams', 'Streams of dashboards that are open on this node.'),
    )
  }

  /**
   * Joins the feed of the session's account. Resolves once nothing that is committed from then on can be missed, to a
   * function that takes the response over. `lastId` is the id of the last frame that the reader took, '' when there is
   * none.
   */
  async open(session: WebSession, caller: Caller, lastId: string): Promise<(response: ServerResponse) => void> {
    const { tenantFeed } = this.#deps
    const place = this.#rooms.enter(session.id, session.tenantId, () => reader.cut())
    const reader = new Reader(this.#deps, session, caller, place)
    let joined: JoinedTenant | null = null
    try {
      joined = await tenantFeed.join(session.tenantId, reader)
      reader.joined(joined, lastId === '' ? [] : await missedSince(tenantFeed, session, lastId, joined.place))
    } catch (error) {
      joined?.leave()
      place.leave()
      throw error
    }
    return (response) => reader.begin(response)
  }
}

/**
 * An id is the transaction followed by the position in 15 digits, so that ids rise ([dashboard.stream.2]). It names the
 * same place on every node.
 */
function idOf({ xid, position }: EventPlace): string {
  return xid + position.padStart(15, '0')
}

/** The events behind the one that an id names; null when there are too many, or the id names no place. */
async function missedSince(
  feed: TenantFeed,
  { tenantId }: WebSession,
  lastId: string,
  until: EventPlace,
): Promise<readonly TenantChange[] | null> {
  const [, xid, position] = /^([1-9]\d{0,17})(\d{15})$/.exec(lastId) ?? []
  if (xid === undefined || position === undefined) return null
  const missed = await feed.missed(tenantId, { xid, position: String(Number(position)) }, until, MOST_MISSED)
  return missed?.map(({ place, event }) => ({ type: 'event', place, event })) ?? null
}

/** One stream, from its join to its end. */
class Reader implements TenantListener {
  readonly #deps: LiveDeps
  readonly #session: WebSession
  readonly #caller: Caller
  readonly #place: StreamPlace
  /** Changes that came before the response was there. */
  #early: TenantChange[] = []
  #joined: JoinedTenant | null = null
  #missed: readonly TenantChange[] | null = []
  #unwatch = (): void => {}
  #stream: EventStream | null = null

  constructor(deps: LiveDeps, session: WebSession, caller: Caller, place: StreamPlace) {
    this.#deps = deps
    this.#session = session
    this.#caller = caller
    this.#place = place
  }

  joined(joined: JoinedTenant, missed: readonly TenantChange[] | null): void {
    this.#joined = joined
    this.#missed = missed && this.#bytesOf(missed) <= MOST_MISSED_BYTES ? missed : null
  }

  begin(response: ServerResponse): void {
    const { sessionEndings, clock } = this.#deps
    const stream = new EventStream(response, clock, {
      over: () => {
        this.#joined?.leave()
        this.#unwatch()
        this.#place.leave()
      },
      unsent: (bytes) => this.#place.unsent(bytes),
    })
    this.#stream = stream
    this.#unwatch = sessionEndings.watch(this.#session, (reason) => {
      if (reason !== 'ROLE_CHANGED') stream.send('expired', JSON.stringify({ reason }), null)
      stream.end()
    })
    this.#greet(stream)
    for (const change of this.#early) this.#pass(change)
    this.#early = []
  }

  /**
   * Says where the stream begins, what was missed, and how all stands. `hello` has an id only when nothing was missed:
   * else a reader that is cut before the missed events would not come back to them.
   */
  #greet(stream: EventStream): void {
    if (!this.#joined) throw new Error('a stream begins before its reader joined')
    const { place, numbers, calls } = this.#joined
    const missed = this.#missed ?? []
    const cursor = idOf(place)
    stream.send('hello', JSON.stringify({ cursor }), missed.length === 0 ? cursor : null)
    if (this.#missed === null) stream.send('resync', '{}', null)
    for (const change of missed) this.#pass(change)
    const standing = [...numbers.map(numberFrame), ...calls.map(callFrame)].filter((frame) => this.#mayRead(frame))
    if (standing.length <= MOST_STANDING) for (const { event, data } of standing) stream.send(event, data, null)
    else if (this.#missed !== null) stream.send('resync', '{}', null)
    this.#missed = []
  }

  changed(change: TenantChange): void {
    if (this.#stream === null) this.#early.push(change)
    else this.#pass(change)
  }

  ended(): void {
    this.#stream?.end()
  }

  cut(): void {
    this.#stream?.cut()
  }

  /** Sends the frames that the role may read. The last of them has the id of the event, if the change is one. */
  #pass(change: TenantChange): void {
    const frames = framesOf(change).filter((frame) => this.#mayRead(frame))
    const id = change.type === 'event' ? idOf(change.place) : null
    for (const [index, { event, data }] of frames.entries())
      this.#stream?.send(event, data, index === frames.length - 1 ? id : null)
  }

  #mayRead({ event }: Frame): boolean {
    const { permissions } = this.#caller
    return permissions === 'all' || permissions.has(FRAMES[event])
  }

  #bytesOf(changes: readonly TenantChange[]): number {
    return changes
      .flatMap(framesOf)
      .filter((frame) => this.#mayRead(frame))
      .reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
  }
}
