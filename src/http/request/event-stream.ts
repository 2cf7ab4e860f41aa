import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../ports/clock.ts'

/** [embeds.stream.4]: a comment every 15 s, and a reader that is cut waits 3 s before it comes back; both in ms. */
const COMMENT_MS = 15_000
const RETRY_MS = 3_000
/** [embeds.stream.6]: a reader with more bytes unsent is dropped, because it catches up faster by reading anew. */
const MOST_UNSENT_BYTES = 1024 * 1024

/** Headers of a stream: no proxy on the way may keep it or compress it ([embeds.stream.4]). */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** What a stream reports to its owner. */
export interface StreamEvents {
  /** Called once, whichever side ended the stream. */
  over(): void
  /** Called with the number of bytes that wait for the reader. */
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
    // A reader that left before this has closed already, so no event of it will come.
    if (response.closed || response.destroyed) queueMicrotask(over)
    else response.flushHeaders()
    this.#write(`retry: ${RETRY_MS}\n\n`)
  }

  /** `data` is JSON text, which has no line ends. */
  send(event: string, data: string, id: string | null): void {
    this.#write(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`)
  }

  /** Ends the stream once everything is sent. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#timer.cancel()
    this.#response.end()
  }

  /** Ends the stream at once, and drops what was not sent. */
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
