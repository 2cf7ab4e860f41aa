import type { ServerResponse } from 'node:http'
import type { EmbedSession } from '../../../domain/embed-session.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { FedChange, FeedListener, InboxFeed, Joined } from '../../../ports/inbox-feed.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { EmbedEndings } from '../../request/embed-endings.ts'
import { EventStream } from '../../request/event-stream.ts'
import { STREAM_BOUNDS, StreamRooms } from '../../request/stream-rooms.ts'
import type { StreamBounds, StreamPlace } from '../../request/stream-rooms.ts'
import { presentChange } from './present.ts'

export interface StreamDeps {
  readonly inboxFeed: InboxFeed
  readonly embedEndings: EmbedEndings
  readonly clock: Clock
  readonly metrics: Metrics
}

/** Changes as texts. Each is made once for all streams that send it. */
const texts = new WeakMap<FedChange, { readonly event: string; readonly data: string } | null>()

function textOf(change: FedChange, nowMs: number) {
  const known = texts.get(change)
  if (known !== undefined) return known
  const shown = presentChange(change, nowMs)
  const text = shown && { event: shown.event, data: JSON.stringify(shown.data) }
  texts.set(change, text)
  return text
}

/** Streams of sessions on this node. */
export class InboxStreams {
  readonly #deps: StreamDeps
  readonly #rooms: StreamRooms

  constructor(deps: StreamDeps, bounds: StreamBounds = STREAM_BOUNDS) {
    this.#deps = deps
    this.#rooms = new StreamRooms(
      bounds,
      deps.metrics.gauge('inbox_streams', 'Streams of inboxes that are open on this node.'),
    )
  }

  /**
   * Joins the feed. Resolves once no change that is committed from then on can be missed, to a function that takes the
   * response over. `lastId` is the id of the last event that the reader took, '' when there is none.
   */
  async open(session: EmbedSession, lastId: string): Promise<(response: ServerResponse) => void> {
    const { inboxFeed } = this.#deps
    const place = this.#rooms.enter(session.id, session.tenantId, () => reader.cut())
    const reader = new Reader(this.#deps, session, place)
    try {
      reader.joined(await inboxFeed.join(session.numberIds, reader, orderOf(inboxFeed, lastId)), lastId !== '')
    } catch (error) {
      place.leave()
      throw error
    }
    return (response) => reader.begin(response)
  }
}

/**
 * The order of the change that an id names, null when another run of the node counted it. An id is the order followed
 * by the number of the run, so that ids rise ([embeds.stream.4]).
 */
function orderOf({ run }: InboxFeed, lastId: string): number | null {
  const known = new RegExp(`^(\\d{1,15})${run}$`).exec(lastId)
  return known ? Number(known[1]) : null
}

/** One stream, from its join to its end. */
class Reader implements FeedListener {
  readonly #deps: StreamDeps
  readonly #session: EmbedSession
  readonly #place: StreamPlace
  readonly #unread = new Map<NumberId, number>()
  /** Changes that came before the response was there. */
  #early: FedChange[] = []
  #order = 0
  #isResumed = false
  #missed: Joined['missed'] = null
  #leave = (): void => {}
  #unwatch = (): void => {}
  #stream: EventStream | null = null

  constructor(deps: StreamDeps, session: EmbedSession, place: StreamPlace) {
    this.#deps = deps
    this.#session = session
    this.#place = place
  }

  joined({ order, missed, unread, leave }: Joined, isResumed: boolean): void {
    for (const [id, count] of unread) this.#unread.set(id, count)
    this.#order = order
    this.#missed = missed
    this.#isResumed = isResumed
    this.#leave = leave
  }

  begin(response: ServerResponse): void {
    const stream = new EventStream(response, this.#deps.clock, {
      over: () => {
        this.#leave()
        this.#unwatch()
        this.#place.leave()
      },
      unsent: (bytes) => this.#place.unsent(bytes),
    })
    this.#stream = stream
    this.#unwatch = this.#deps.embedEndings.watch(this.#session, {
      moved: (expiresAt) => this.#tell('session', { expiresAt: expiresAt.toISOString() }),
      over: (reason) => {
        this.#tell('expired', { reason })
        stream.end()
      },
    })
    // `hello` carries an id only when nothing was missed. Else the id comes with the missed changes, so that a reader
    // that is cut before them resumes from where it was.
    const start = this.#idOf(this.#missed?.[0]?.order ?? this.#order)
    stream.send(
      'hello',
      JSON.stringify({ cursor: start }),
      this.#missed === null || this.#missed.length === 0 ? start : null,
    )
    if (this.#isResumed && this.#missed === null) this.#tell('resync', {})
    for (const change of [...(this.#missed ?? []), ...this.#early]) this.#pass(change)
    if (this.#missed?.some(({ change }) => change.type === 'unread')) this.#tellUnread(this.#order)
    this.#missed = null
    this.#early = []
  }

  changed(change: FedChange): void {
    if (this.#stream === null) this.#early.push(change)
    else this.#pass(change)
  }

  ended(): void {
    this.#stream?.end()
  }

  cut(): void {
    this.#stream?.cut()
  }

  #pass(fed: FedChange): void {
    if (fed.change.type === 'unread') {
      this.#unread.set(fed.numberId, fed.change.count)
      if (fed.order > this.#order) this.#tellUnread(fed.order)
      return
    }
    const text = textOf(fed, this.#deps.clock.now())
    // What is kept for nobody has no place in the order.
    if (text) this.#stream?.send(text.event, text.data, fed.change.type === 'typing' ? null : this.#idOf(fed.order))
  }

  #tellUnread(order: number): void {
    const total = [...this.#unread.values()].reduce((sum, count) => sum + count, 0)
    this.#stream?.send('unread', JSON.stringify({ total }), this.#idOf(order))
  }

  /** Sends an event of this stream alone. It has no id, because it has no place in the order. */
  #tell(event: string, data: object): void {
    this.#stream?.send(event, JSON.stringify(data), null)
  }

  #idOf(order: number): string {
    return `${order}${this.#deps.inboxFeed.run}`
  }
}
