import { isPassing, RequestFailure } from './failure.ts'
import type { Requests } from './requests.ts'
import { pauseAfter } from './pause.ts'
import { createStreamReader } from './sse.ts'
import type { StreamEvent, StreamReader } from './sse.ts'

export type Connection = 'live' | 'connecting' | 'offline'

export interface LiveEvents {
  readonly connection: (now: Connection) => void
  /** What came together, in order. */
  readonly told: (events: readonly ToldEvent[]) => void
}

export interface ToldEvent {
  readonly type: string
  readonly data: unknown
}

/** Our choice, in ms: without a word for so long a stream is dead. The server says something every 15 s. */
const SILENT_MS = 40_000
/** Our choice, in ms: what comes so soon after the last is told together, since each telling draws the inbox anew. */
const TOGETHER_MS = 50

/**
 * Follows the stream of a session: resumes where it was cut, as often as it is cut, until it is stopped or the session
 * is over.
 */
export class Live {
  readonly #requests: Requests
  readonly #events: LiveEvents
  #stop: AbortController | null = null
  #lastId: string | null = null
  #cut: AbortController | null = null
  #collected: ToldEvent[] = []
  #collecting: ReturnType<typeof setTimeout> | null = null

  constructor(requests: Requests, events: LiveEvents) {
    this.#requests = requests
    this.#events = events
    // What a browser that is offline still holds open may never say anything again.
    addEventListener('offline', () => this.#cut?.abort())
  }

  /**
   * Begins, or begins anew with the token there is now. Resolves once the first try came to something: what is read
   * from then on, and what the stream tells, miss nothing between them. A stream that begins later without a place to
   * resume from says `resync` by itself.
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
      if (!isFirst && this.#lastId === null) this.#collect([{ type: 'resync', data: {} }])
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
        this.#collect(reader.take(text.decode(value, { stream: true })).flatMap(readEvent))
        this.#lastId = reader.lastId
      }
    } catch {
      throw new RequestFailure('network', 'the stream was cut')
    } finally {
      clearTimeout(silence)
      cut.abort()
    }
  }

  /** The first is told at once, what follows it closely together. */
  #collect(events: readonly ToldEvent[]): void {
    this.#collected.push(...events)
    if (this.#collecting === null) this.#tell()
  }

  #tell(): void {
    this.#collecting = null
    const events = this.#collected
    if (events.length === 0) return
    this.#collected = []
    this.#collecting = setTimeout(() => this.#tell(), TOGETHER_MS)
    this.#events.told(events)
  }
}

/** What cannot be read is not acted upon: what it told is read with the next page. */
function readEvent({ type, data }: StreamEvent): readonly ToldEvent[] {
  try {
    return [{ type, data: JSON.parse(data) as unknown }]
  } catch {
    return []
  }
}
