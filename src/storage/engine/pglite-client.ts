import { Worker } from 'node:worker_threads'
import { isDiskFull } from '../../domain/store-away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { freeBytesOf } from './free-bytes.ts'
import { CHORE_MS, EMBEDDED_MS, FULL_MS } from './patience.ts'
import type { PgliteError, PgliteReply, PgliteRequest, PgliteRows, PgliteWorkerOptions } from './pglite-protocol.ts'

/** The part of a PGlite transaction that the ORM's dialect uses. */
export interface PgliteTransaction {
  query(sql: string, params?: readonly unknown[]): Promise<PgliteRows>
  rollback(): Promise<void>
}

interface Waiting {
  readonly resolve: (rows: PgliteRows) => void
  readonly reject: (error: Error) => void
}

function toError(fields: PgliteError): Error {
  return Object.assign(new Error(fields.message), fields)
}

/** SQLSTATE: the disk is full. */
const DISK_FULL = '53100'

/** A segment of the write-ahead log, which is made as a whole ("WAL Configuration" of PostgreSQL's documentation): with less free, a write may never end. */
const LOG_SEGMENT_BYTES = 16 * 1024 * 1024

export interface PgliteClientOptions {
  readonly clock: Clock
  readonly log: Log
  /** Bytes free where the database is. By default those of the file system. */
  readonly freeBytes?: (directory: string) => Promise<number>
}

function stopped(): Error {
  return new Error('the embedded database has stopped')
}

/**
 * The embedded database as the ORM's dialect sees it (`query`, `transaction`, `close`), with the
 * database itself in a worker thread. It has one session, so a transaction holds the whole of
 * it: queries from outside wait until it ends.
 */
export class PgliteClient {
  readonly waitReady: Promise<void>
  ready = false
  closed = false
  readonly #directory: string
  readonly #clock: Clock
  readonly #log: Log
  #worker: Worker
  /** Which of the threads that followed each other it is: what one began, the next knows nothing of. */
  #life = 0
  #lastId = 0
  #waiting = new Map<number, Waiting>()
  #turn: Promise<unknown> = Promise.resolve()
  /** Monotonic ms since which it owes an answer. */
  #owesSinceMs = 0
  /** Monotonic ms at which it last said, or was seen to have, no room: what comes soon after may never be answered (measured, when its log cannot grow). */
  #fullMs = -Infinity
  readonly #freeBytes: (directory: string) => Promise<number>

  constructor(directory: string, { clock, log, freeBytes = freeBytesOf }: PgliteClientOptions) {
    this.#directory = directory
    this.#clock = clock
    this.#log = log
    this.#freeBytes = freeBytes
    const begun = this.#begin()
    this.#worker = begun.worker
    this.waitReady = begun.ready
    this.waitReady.catch(() => {})
  }

  query(sql: string, params: readonly unknown[] = []): Promise<PgliteRows> {
    return this.#inTurn(() => this.#send('query', sql, params))
  }

  /** The rows of a statement that is parsed and planned once, by this name. */
  async queryKept(name: string, sql: string, params: readonly unknown[]): Promise<object[]> {
    const { rows } = await this.#inTurn(() => this.#send('query', sql, params, name))
    return [...rows]
  }

  /** Runs several statements in one text; one that fails rolls back what it left open. */
  async script(text: string): Promise<object[]> {
    const { rows } = await this.#inTurn(() => this.#send('script', text, []))
    return [...rows]
  }

  /** Runs `work` with the session to itself; commits, or rolls back when it throws. */
  transaction<T>(work: (transaction: PgliteTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const life = this.#life
      const send = (sql: string, params: readonly unknown[] = []): Promise<PgliteRows> => life === this.#life ? this.#send('query', sql, params) : Promise.reject(stopped())
      await send('begin')
      try {
        const value = await work({ query: send, rollback: async () => void await send('rollback') })
        await send('commit')
        return value
      } catch (error) {
        await send('rollback').catch(() => {})
        throw error
      }
    })
  }

  /**
   * Opens the database anew where it has ended, or will not answer any more: it was silent for CHORE_MS, or for EMBEDDED_MS after its disk was full. What
   * it had committed is there again; whoever waits is told that it has stopped. To be asked again while it is silent.
   */
  async revive(): Promise<void> {
    if (this.closed || !this.ready) return
    // The first that finds no room may be the one that is never answered: then nobody has said so.
    if (this.#waiting.size > 0 && await this.#freeBytes(this.#directory) < LOG_SEGMENT_BYTES) this.#fullMs = this.#clock.monotonicMs()
    if (this.closed || !this.#isLost()) return
    void this.#worker.terminate()
    this.#life++
    this.#refuseWaiting(stopped())
    const begun = this.#begin()
    this.#worker = begun.worker
    begun.ready.catch(() => {})
  }

  #isLost(): boolean {
    if (this.#worker.threadId === -1) return true
    const patienceMs = this.#owesSinceMs - this.#fullMs < FULL_MS ? EMBEDDED_MS : CHORE_MS
    return this.#waiting.size > 0 && this.#clock.monotonicMs() - this.#owesSinceMs >= patienceMs
  }

  /** Waits for what runs, closes the database and ends the thread. Idempotent. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    // A database that did not open, or will not answer any more, answers nothing.
    if (this.ready && !this.#isLost()) await this.#inTurn(() => this.#send('close', '', [])).catch(() => {})
    await this.#worker.terminate()
  }

  #begin(): { readonly worker: Worker, readonly ready: Promise<void> } {
    const options: PgliteWorkerOptions = { directory: this.#directory }
    const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: options, name: 'database' })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    worker.on('message', (message: PgliteReply) => {
      if (message.kind === 'unready') reject(toError(message.error))
      else if (worker !== this.#worker) return
      else if (message.kind === 'ready') this.#opened(resolve)
      else this.#settle(message)
    })
    worker.on('error', (error) => this.#ended(worker, error, reject))
    worker.on('exit', () => this.#ended(worker, stopped(), reject))
    return { worker, ready: promise }
  }

  #opened(resolve: () => void): void {
    this.ready = true
    resolve()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  #send(op: PgliteRequest['op'], sql: string, params: readonly unknown[], name?: string): Promise<PgliteRows> {
    if (this.#worker.threadId === -1) return Promise.reject(stopped())
    const request: PgliteRequest = { id: ++this.#lastId, op, sql, params, ...(name === undefined ? {} : { name }) }
    if (this.#waiting.size === 0) this.#owesSinceMs = this.#clock.monotonicMs()
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      this.#worker.postMessage(request)
    })
  }

  #settle(message: Extract<PgliteReply, { id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    this.#owesSinceMs = this.#clock.monotonicMs()
    if (message.kind === 'error' && isFull(message.error)) this.#fullMs = this.#owesSinceMs
    if (message.kind === 'result') waiting?.resolve(message.value)
    else waiting?.reject(toError(message.error))
  }

  #ended(worker: Worker, error: Error, rejectReady: (error: Error) => void): void {
    rejectReady(error)
    if (worker !== this.#worker) return
    // Said once: whoever asks for it again hears of it there.
    if (!this.closed && this.#waiting.size > 0) this.#log.error({ error: error.message }, 'embedded database stopped')
    this.#refuseWaiting(error)
  }

  #refuseWaiting(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}

function isFull(error: PgliteError): boolean {
  return error.code === DISK_FULL || isDiskFull(toError(error))
}
