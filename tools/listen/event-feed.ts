import { request } from 'undici'

/** An event as GET /v1/events and webhooks contain it ([events.envelope.1]). */
export interface ShownEvent {
  readonly id: string
  readonly event: string
  readonly channelNumberId: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventFeedOptions {
  readonly url: string
  readonly key: string
  readonly event: string | null
  /** Where to begin: after this event, at the oldest, or at the next new one. */
  readonly from: { readonly after: string } | 'oldest' | 'next'
  /** Waits this many ms; ends early, without throwing, when the feed is stopped. */
  readonly pause: (ms: number) => Promise<void>
  readonly signal: AbortSignal
  /** Prints one line for whoever watches: the service is unreachable, or reachable again. */
  readonly notice: (text: string) => void
}

/** The service refused, and another try would not help. The message says what to do. */
export class FeedRefusal extends Error {}

/** our choice: a full page is followed by the next at once, an empty one after this many ms. */
const PAGE = 1_000
const IDLE_MS = 1_000
/** our choice, in ms: the waits while the service is unreachable double from the first to the second number. */
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 10_000
const REQUEST_MS = 30_000

interface Page {
  readonly kind: 'page'
  readonly events: readonly ShownEvent[]
}
type Asked = Page | { readonly kind: 'away'; readonly why: string; readonly retryAfterMs: number }

const ADVICE: ReadonlyMap<number, string> = new Map([
  [401, 'the key is not valid (any more); give the one shown when it was last made'],
  [403, 'the key may not read events'],
  [
    404,
    'the event to go on after is not stored here: not of this number, or older than 30 days; use --all to begin with the oldest one',
  ],
])

/** Reads an answer: a page, or why another try may help. Throws FeedRefusal when none would. */
function readAnswer(status: number, headers: Readonly<Record<string, unknown>>, text: string): Asked {
  if (status === 200) return { kind: 'page', events: (JSON.parse(text) as { events: ShownEvent[] }).events }
  if (status === 429 || status >= 500) {
    const seconds = Number(headers['retry-after'])
    return { kind: 'away', why: `it answers ${status}`, retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 }
  }
  throw new FeedRefusal(`The service answered ${status}: ${ADVICE.get(status) ?? text.slice(0, 300)}`)
}

/** Reads the events of a key one after another, without end, across restarts of the service. */
export class EventFeed {
  readonly #options: EventFeedOptions
  #after: string | null
  #isAway = false

  constructor(options: EventFeedOptions) {
    this.#options = options
    this.#after = typeof options.from === 'object' ? options.from.after : null
  }

  /** The id of the last event given out, or of the one to begin after; null when there is none. */
  get lastId(): string | null {
    return this.#after
  }

  /** Yields events until the signal fires. Throws FeedRefusal when the service refuses for good. */
  async *events(): AsyncGenerator<ShownEvent, void, void> {
    if (this.#options.from === 'next') await this.#skipToEnd()
    while (!this.#options.signal.aborted) {
      const events = await this.#nextPage()
      for (const event of events) {
        if (this.#options.signal.aborted) return
        yield event
        this.#after = event.id
      }
      if (events.length < PAGE) await this.#options.pause(IDLE_MS)
    }
  }

  /** Skips what is stored, because the service lists the oldest events first. */
  async #skipToEnd(): Promise<void> {
    for (let isFull = true; isFull && !this.#options.signal.aborted;) {
      const events = await this.#nextPage()
      this.#after = events.at(-1)?.id ?? this.#after
      isFull = events.length === PAGE
    }
  }

  /** The page after the last event; waits while the service is unreachable. Empty when stopped. */
  async #nextPage(): Promise<readonly ShownEvent[]> {
    const { notice, pause, signal, url } = this.#options
    let backoffMs = FIRST_BACKOFF_MS
    while (!signal.aborted) {
      const asked = await this.#ask()
      if (asked.kind === 'page') {
        if (this.#isAway) notice('the service is back')
        this.#isAway = false
        return asked.events
      }
      if (!this.#isAway && !signal.aborted) notice(`no events from ${url}: ${asked.why}; trying again until it does`)
      this.#isAway = true
      await pause(Math.max(backoffMs, asked.retryAfterMs))
      backoffMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2)
    }
    return []
  }

  async #ask(): Promise<Asked> {
    const { url, key, event, signal } = this.#options
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(this.#after ? { after: this.#after } : {}),
      ...(event ? { event } : {}),
    })
    try {
      const answer = await request(`${url}/v1/events?${query.toString()}`, {
        headers: { 'x-api-key': key },
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      })
      return readAnswer(answer.statusCode, answer.headers, await answer.body.text())
    } catch (error) {
      if (error instanceof FeedRefusal) throw error
      if (error instanceof SyntaxError)
        throw new FeedRefusal(`${url} answers, but not like this service; is it the right address?`)
      return { kind: 'away', why: 'it does not answer', retryAfterMs: 0 }
    }
  }
}
