import { isPassing, RequestFailure } from './failure.ts'
import type { Requests } from './requests.ts'
import { pauseAfter } from './pause.ts'
import { createStreamReader } from './sse.ts'
import type { StreamEvent, StreamReader } from './sse.ts'

export type Connection = 'live' | 'connecting' | 'offline'

export interface LiveEvents {
  readonly connection: (now: Connection) => void
  readonly event: (type: string, data: unknown) => void
}

/** Our choice, in ms: without a word for so long a stream is dead. The server says something every 15 s. */
const SILENT_MS = 40_000

/** Follows the stream of a session: resumes where it was cut, as often as it is cut, until it is stopped or the session is over. */
export class Live {
  readonly #requests: Requests
  readonly #events: LiveEvents
  #stop: AbortController | null = null
  #lastId: string | null = null
  #cut: AbortController | null = null

  constructor(requests: Requests, events: LiveEvents) {
    this.#requests = requests
    this.#events = events
    // What a browser that is offline still holds open may never say anything again.
    addEventListener('offline', () => this.#cut?.abort())
  }

  /**
   * Begins, or begins anew with the token there is now. Resolves once the first try came to something: what is read from then on, and what
   * the stream tells, miss nothing between them. A stream that begins later without a place to resume from says `resync` by itself.
   */
  start(): Promise<void> {
    this.stop()
    const stop = new AbortController()
    this.#stop = stop
    return new Promise((resolve) => void this.#follow(stop.signal, resolve))
  }

  stop(): void {
    this.#stop?.abort()
    this.#stop = null
  }

  async #follow(stopped: AbortSignal, tried: () => void): Promise<void> {
    let failed = 0
    let isFirst = true
    const opened = (): void => {
      if (!isFirst && this.#lastId === null) this.#events.event('resync', {})
      failed = 0
      tried()
    }
    while (!stopped.aborted) {
      this.#events.connection(navigator.onLine ? 'connecting' : 'offline')
      try {
        await this.#read(createStreamReader(this.#lastId), stopped, opened)
      } catch (error) {
        if (!(error instanceof RequestFailure) || !isPassing(error)) return
      } finally {
        tried()
        isFirst = false
      }
      if (stopped.aborted) return
      this.#events.connection(navigator.onLine ? 'connecting' : 'offline')
      await pauseAfter(++failed, stopped)
    }
  }

  /** One stream, until it ends. */
  async #read(reader: StreamReader, stopped: AbortSignal, opened: () => void): Promise<void> {
    const cut = new AbortController()
    this.#cut = cut
    const body = await this.#requests.stream(this.#lastId, AbortSignal.any([stopped, cut.signal]))
    opened()
    this.#events.connection('live')
    const bytes = body.getReader()
    const text = new TextDecoder()
    let silence = setTimeout(() => cut.abort(), SILENT_MS)
    try {
      for (;;) {
        const { done, value } = await bytes.read()
        if (done) return
        clearTimeout(silence)
        silence = setTimeout(() => cut.abort(), SILENT_MS)
        for (const event of reader.take(text.decode(value, { stream: true }))) this.#tell(event)
        this.#lastId = reader.lastId
      }
    } catch {
      throw new RequestFailure('network', 'the stream was cut')
    } finally {
      clearTimeout(silence)
      cut.abort()
    }
  }

  #tell({ type, data }: StreamEvent): void {
    try {
      this.#events.event(type, JSON.parse(data))
    } catch {
      // What cannot be read is not acted upon; what it told is read with the next page.
    }
  }
}
