import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { SplitChanges, Splitting } from '../../../ports/official/changes.ts'
import { splitChanges } from './changes.ts'

/** Our choice: what is smaller is split faster than it is handed over; larger ones take up to a second (measured), off the event loop. */
const LARGE_BYTES = 256_000
/** Our choice: a post of 10 MB takes a fifth of it. */
const HEAP_MEGABYTES = 256
/** Our choice: a thread without work gives its memory back. */
const IDLE_MS = 10_000

/** Splits webhooks: small ones at once, large ones on a thread, one after another. */
export interface Splitter {
  readonly split: SplitChanges
  /** Ends the thread; what it had is answered `busy`. Idempotent. */
  close(): Promise<void>
}

export interface SplitterOptions {
  readonly clock: Clock
  readonly log: Log
  /** Largest body split at once; other values serve tests. */
  readonly largeBytes?: number
  /** The heap a thread may have, in MB; other values serve tests. */
  readonly heapMegabytes?: number
}

/** Makes a splitter; its thread is started when there is work. */
export function createSplitter(options: SplitterOptions): Splitter {
  const thread = new SplitThread(options)
  const { largeBytes = LARGE_BYTES } = options
  return {
    split: (rawBody) => (rawBody.length <= largeBytes ? splitChanges(rawBody) : thread.split(rawBody)),
    close: () => thread.close(),
  }
}

class SplitThread {
  readonly #options: SplitterOptions
  #worker: Worker | null = null
  /** Those the thread has, in its order. */
  #waiting: ((splitting: Splitting) => void)[] = []
  #idle: Timer | null = null
  #isClosed = false

  constructor(options: SplitterOptions) {
    this.#options = options
  }

  split(rawBody: Uint8Array): Promise<Splitting> {
    if (this.#isClosed) return Promise.resolve({ ok: false, reason: 'busy' })
    this.#idle?.cancel()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#worker ??= this.#start()
      this.#worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      this.#worker.postMessage(rawBody)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end()
  }

  #start(): Worker {
    const { heapMegabytes = HEAP_MEGABYTES, log } = this.#options
    const worker = new Worker(new URL('./split-thread.ts', import.meta.url), { name: 'official-webhooks', resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } })
    worker.on('message', (splitting: Splitting) => {
      this.#waiting.shift()?.(splitting)
      if (this.#waiting.length > 0) return
      // Without work it keeps no process alive.
      worker.unref()
      this.#idle = this.#options.clock.after(IDLE_MS, () => void this.#end())
    })
    worker.on('error', (error: Error) => log.error({ errorName: error.name, errorCode: 'code' in error ? error.code : undefined }, 'thread of official webhooks ended'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lose()
    })
    return worker
  }

  async #end(): Promise<void> {
    this.#idle?.cancel()
    const worker = this.#worker
    this.#lose()
    await worker?.terminate()
  }

  /** The thread is gone; the next work starts another. */
  #lose(): void {
    this.#worker = null
    for (const settle of this.#waiting.splice(0)) settle({ ok: false, reason: 'busy' })
  }
}
