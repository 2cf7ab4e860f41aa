import { pauseAfter } from './pause.ts'
import { createStreamReader } from './sse.ts'
import type { StreamEvent, StreamReader } from './sse.ts'

export type Connection = 'live' | 'connecting' | 'offline'

/** Where a stream of events comes from. */
export interface StreamSource {
  /**
   * Opens the stream; `lastId` is the event to resume after, null when there is none. Rejects when it is refused.
   */
  open(lastId: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Whether another try may succeed after `open` was rejected with this. */
  isPassing(error: unknown): boolean
}

export interface LiveEvents {
  readonly connection: (now: Connection) => void
  /** Called with events that came close together, in order. */
  readonly told: (events: readonly ToldEvent[]) => void
  /** Called when the stream was refused for good, with what `open` was rejected with. */
  readonly refused?: (error: unknown) => void
}

export interface ToldEvent {
  readonly type: string
  readonly data: unknown
}

/**
 * Our choice, in ms: a stream is taken for dead after this long without a byte, and so is one that is not open after
 * this long. The server sends something every 15 s.
 */
const SILENT_MS = 40_000
/**
 * Our choice, in ms: events that follow each other this closely are told together, because each call redraws a page.
 */
const TOGETHER_MS = 50

/** The stream was cut: another try may succeed. */
class StreamCut extends Error {}

/**
 * Follows the event stream of a session. It resumes after each interruption until it is stopped or the session is over.
 */
export class Live {
  readonly #source: StreamSource
  readonly #events: LiveEvents
  #stop: AbortController | null = null
  #lastId: string | null = null
  #cut: AbortController | null = null
  #collected: ToldEvent[] = []
  #collecting: ReturnType<typeof setTimeout> | null = null

  constructor(source: StreamSource, events: LiveEvents) {
    this.#source = source
    this.#events = events
    // A stream that a browser holds open while it is offline may never deliver anything again.
    addEventListener('offline', () => this.#cut?.abort())
  }

  /**
   * Starts the stream, or restarts it with the current token. Resolves when the first try has succeeded or failed:
   * pages read after that, together with the events of the stream, miss nothing. A stream that starts later without an
   * id to resume from begins with `resync`.
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
        if (!(error instanceof StreamCut) && !this.#source.isPassing(error)) {
          this.#events.refused?.(error)
          return
        }
      } finally {
        tried()
        isFirst = false
      }
      if (stopped.aborted) return
      this.#events.connection(navigator.onLine ? 'connecting' : 'offline')
      await pauseAfter(++failed, stopped)
    }
  }

  /** Opens one stream and reads it until it ends. */
  async #read(reader: StreamReader, stopped: AbortSignal, opened: () => void): Promise<void> {
    const cut = new AbortController()
    this.#cut = cut
    let silence = setTimeout(() => cut.abort(), SILENT_MS)
    const heard = (): void => {
      clearTimeout(silence)
      silence = setTimeout(() => cut.abort(), SILENT_MS)
    }
    try {
      const body = await this.#source.open(this.#lastId, AbortSignal.any([stopped, cut.signal]))
      opened()
      this.#events.connection('live')
      heard()
      await this.#take(body, reader, heard)
    } finally {
      clearTimeout(silence)
      cut.abort()
    }
  }

  async #take(body: ReadableStream<Uint8Array>, reader: StreamReader, heard: () => void): Promise<void> {
    const bytes = body.getReader()
    const text = new TextDecoder()
    try {
      for (;;) {
        const { done, value } = await bytes.read()
        if (done) return
        heard()
        this.#collect(reader.take(text.decode(value, { stream: true })).flatMap(readEvent))
        this.#lastId = reader.lastId
      }
    } catch {
      throw new StreamCut('the stream was cut')
    }
  }

  /** Tells the first event at once, and those that follow within TOGETHER_MS together. */
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

/**
 * Reads the events of one stream message. A message that cannot be read is dropped: the next page read contains its
 * change.
 */
function readEvent({ type, data }: StreamEvent): readonly ToldEvent[] {
  try {
    return [{ type, data: JSON.parse(data) as unknown }]
  } catch {
    return []
  }
}
