import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { Live } from '../../ui/stream/live.ts'
import type { StreamSource, ToldEvent } from '../../ui/stream/live.ts'
import type { Frames, Listeners } from './frames.ts'

const STREAM = '/api/stream'

/** `off` means that the service has no stream, or none for this session: nothing is tried again. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'off'

/** The stream was refused with this status. */
class StreamRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the stream was refused with ${status}`)
    this.status = status
  }
}

const source: StreamSource = {
  async open(lastId, signal) {
    const headers = { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) }
    const response = await fetch(STREAM, { headers, cache: 'no-store', credentials: 'same-origin', signal })
    if (!response.ok || !response.body) throw new StreamRefused(response.status)
    return response.body
  },
  // A refusal by the network is a TypeError of `fetch`.
  isPassing: (error) => !(error instanceof StreamRefused) || error.status === 429 || error.status >= 500,
}

/** The live changes of the account: one stream for all pages, which hear of what they listen to. */
export class News {
  readonly #state = signal<LiveState>('connecting')
  readonly #listeners = new Set<Listeners>()
  /** How often the stream was not there: before the first try, and after each that ended. */
  #misses = 0

  get state(): ReadonlySignal<LiveState> {
    return this.#state
  }

  /** Follows the stream for as long as the document is open; `signedOut` is called when the session is over. */
  start(signedOut: () => void): void {
    const live = new Live(source, {
      connection: (now) => this.#connected(now === 'live'),
      told: (events) => this.#told(events),
      refused: (error) => {
        this.#state.value = 'off'
        if (error instanceof StreamRefused && error.status === 401) signedOut()
      },
    })
    void live.start()
  }

  /** Hears of frames until the returned function is called. */
  listen(listeners: Listeners): () => void {
    this.#listeners.add(listeners)
    return () => void this.#listeners.delete(listeners)
  }

  #connected(isLive: boolean): void {
    if (isLive) {
      // What pages read before the first stream stood may have changed in between.
      if (this.#misses === 1) this.#hand('resync', {})
      this.#misses = 2
      this.#state.value = 'live'
      return
    }
    this.#misses += 1
    this.#state.value = this.#misses === 1 ? 'connecting' : 'lost'
  }

  #told(events: readonly ToldEvent[]): void {
    for (const { type, data } of events) {
      if (isFrame(type)) this.#hand(type, data as Frames[typeof type])
    }
  }

  #hand<Type extends keyof Frames>(type: Type, frame: Frames[Type]): void {
    for (const listeners of this.#listeners) listeners[type]?.(frame)
  }
}

/** What the stream tells pages; all else is about the stream itself. */
const FRAMES: ReadonlySet<string> = new Set<keyof Frames>(['number', 'call', 'event', 'conversation', 'resync'])

function isFrame(type: string): type is keyof Frames {
  return FRAMES.has(type)
}
