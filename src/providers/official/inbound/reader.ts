import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { ReadLeadNotices, SplitChanges } from '../../../ports/official/changes.ts'
import { READERS } from './readers.ts'
import type { Job, Read } from './readers.ts'

/**
 * Our choice: a smaller body of any shape is read within 8 ms (measured); larger ones take up to a second, and are read
 * off the event loop.
 */
const LARGE_BYTES = 32_768
/** Our choice: heap of the thread, MB; a post of 10 MB takes a fifth of it. */
const HEAP_MEGABYTES = 256
/** Our choice: a thread ends after this long without work, ms, and gives its memory back. */
const IDLE_MS = 10_000
/** Our choice: most large webhooks of one sender that wait for their turn. */
const MOST_WAITING = 64

const BUSY = { ok: false, reason: 'busy' } as const

/** Reads webhooks: small ones at once, large ones on a thread, one after another, with senders taking turns. */
export interface WebhookReader {
  readonly splitChanges: SplitChanges
  readonly readLeadNotices: ReadLeadNotices
  /** Ends the thread; webhooks that it still had are answered `busy`. Idempotent. */
  close(): Promise<void>
}

export interface WebhookReaderOptions {
  readonly clock: Clock
  readonly log: Log
  /** Largest body read at once, bytes; default LARGE_BYTES. Tests set other values. */
  readonly largeBytes?: number
  /** Heap of the thread, MB; default HEAP_MEGABYTES. Tests set other values. */
  readonly heapMegabytes?: number
}

/** Makes a reader; its thread is started when there is work. */
export function createWebhookReader(options: WebhookReaderOptions): WebhookReader {
  const thread = new ReadingThread(options)
  const { largeBytes = LARGE_BYTES } = options
  return {
    splitChanges: (rawBody, sender) =>
      rawBody.length <= largeBytes ? READERS.changes(rawBody) : thread.read('changes', rawBody, sender),
    readLeadNotices: (rawBody, sender) =>
      rawBody.length <= largeBytes ? READERS.leads(rawBody) : thread.read('leads', rawBody, sender),
    close: () => thread.close(),
  }
}

interface Waiting extends Job {
  readonly settle: (read: Read[keyof Read]) => void
}

class ReadingThread {
  readonly #options: WebhookReaderOptions
  #worker: Worker | null = null
  /** The webhook that the thread reads now. */
  #inWork: Waiting | null = null
  /** Waiting webhooks by sender, in the order of the senders' turns. */
  readonly #lines = new Map<string, Waiting[]>()
  #idle: Timer | null = null
  #isClosed = false

  constructor(options: WebhookReaderOptions) {
    this.#options = options
  }

  read<What extends keyof Read>(what: What, rawBody: Uint8Array, sender: string): Promise<Read[What] | typeof BUSY> {
    const line = this.#lines.get(sender) ?? []
    if (this.#isClosed || line.length >= MOST_WAITING) return Promise.resolve(BUSY)
    const { promise, resolve } = Promise.withResolvers<Read[What] | typeof BUSY>()
    line.push({ what, rawBody, settle: (read) => resolve(read as Read[What]) })
    this.#lines.set(sender, line)
    this.#next()
    return promise
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const waiting = [...this.#lines.values()].flat()
    this.#lines.clear()
    for (const { settle } of waiting) settle(BUSY)
    await this.#end()
  }

  /** Gives the thread its next webhook. A thread without work keeps no process alive, and ends after a while. */
  #next(): void {
    if (this.#inWork) return
    this.#idle?.cancel()
    this.#inWork = this.#taken()
    if (!this.#inWork) {
      this.#worker?.unref()
      this.#idle = this.#options.clock.after(IDLE_MS, () => void this.#end())
      return
    }
    this.#worker ??= this.#start()
    this.#worker.ref()
    const { what, rawBody } = this.#inWork
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    this.#worker.postMessage({ what, rawBody } satisfies Job)
  }

  /** The first webhook of the sender whose turn it is, who moves to the end; null when none waits. */
  #taken(): Waiting | null {
    for (const [sender, line] of this.#lines) {
      const first = line.shift()
      this.#lines.delete(sender)
      if (line.length > 0) this.#lines.set(sender, line)
      if (first) return first
    }
    return null
  }

  #start(): Worker {
    const { heapMegabytes = HEAP_MEGABYTES, log } = this.#options
    const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
      name: 'official-webhooks',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    worker.on('message', (read: Read[keyof Read]) => this.#settle(read))
    worker.on('error', (error: Error) =>
      log.error(
        { errorName: error.name, errorCode: 'code' in error ? error.code : undefined },
        'thread of official webhooks ended',
      ),
    )
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#settle(BUSY)
    })
    return worker
  }

  #settle(read: Read[keyof Read]): void {
    const done = this.#inWork
    this.#inWork = null
    done?.settle(read)
    this.#next()
  }

  async #end(): Promise<void> {
    this.#idle?.cancel()
    const worker = this.#worker
    this.#worker = null
    this.#inWork?.settle(BUSY)
    this.#inWork = null
    await worker?.terminate()
  }
}
