import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../ports/clock.ts'

/** contract 17: a comment every 15 s, and how long a reader waits before it comes back, in ms. */
const COMMENT_MS = 15_000
const RETRY_MS = 3_000
/** contract 17: bytes that wait for a reader at most; one that is further behind reads anew faster. */
const MOST_UNSENT_BYTES = 1024 * 1024

/** Headers of a stream: no proxy on the way may keep it or pack it (contract 17). */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** What becomes of a stream. */
export interface StreamEvents {
  /** Once, whoever ended it. */
  over(): void
  /** So many of its bytes wait for the reader. */
  unsent(bytes: number): void
}

/** Server-sent events (WHATWG HTML) on a response that was taken over. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #events: StreamEvents
  #timer: Timer
  #isOver = false

  constructor(response: ServerResponse, clock: Clock, events: StreamEvents) {
    this.#response = response
    this.#clock = clock
    this.#events = events
    this.#timer = this.#comment()
    const over = (): void => {
      this.#isOver = true
      this.#timer.cancel()
      events.over()
    }
    response.once('close', over)
    response.on('drain', () => events.unsent(response.writableLength))
    // Who left while it was made ready says so no more.
    if (response.closed || response.destroyed) queueMicrotask(over)
    else response.flushHeaders()
    this.#write(`retry: ${RETRY_MS}\n\n`)
  }

  /** `data` is JSON text, which has no line ends. */
  send(event: string, data: string, id: string | null): void {
    this.#write(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`)
  }

  /** Ends it once all is sent. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#timer.cancel()
    this.#response.end()
  }

  /** Ends it at once: what was not sent is dropped. */
  cut(): void {
    this.#isOver = true
    this.#timer.cancel()
    this.#response.destroy()
  }

  #write(text: string): void {
    if (this.#isOver) return
    this.#response.write(text)
    const unsent = this.#response.writableLength
    if (unsent > MOST_UNSENT_BYTES) this.cut()
    else this.#events.unsent(unsent)
  }

  #comment(): Timer {
    return this.#clock.after(COMMENT_MS, () => {
      this.#write(':\n\n')
      if (!this.#isOver) this.#timer = this.#comment()
    })
  }
}
