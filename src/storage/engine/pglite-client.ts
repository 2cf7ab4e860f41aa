import { Worker } from 'node:worker_threads'
import { isDiskFull } from '../../domain/store-away.ts'
import { Turns } from '../../domain/turns.ts'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { freeBytesOf } from './free-bytes.ts'
import { CHORE_MS, EMBEDDED_MS, FULL_MS, LOOK_MS, OPEN_MS } from './patience.ts'
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

const PROGRAM = new URL('./pglite-worker.ts', import.meta.url)

/** SQLSTATE: the disk is full. */
const DISK_FULL = '53100'

/**
 * A segment of the write-ahead log, which is made as a whole ("WAL Configuration" of PostgreSQL's documentation). With
 * less free, a write may never end.
 */
const LOG_SEGMENT_BYTES = 16 * 1024 * 1024

/** One of the threads that follow each other; the next knows nothing of what this one began. */
interface Life {
  readonly worker: Worker
  /** Monotonic time of its start, ms. */
  readonly begunMs: number
  /** True when the disk had room for a segment of the log at its start. */
  readonly hadRoom: boolean
  /** Rejects when the database cannot be opened, or the thread ends before. */
  readonly opened: Promise<void>
  isOpen: boolean
  /** True when it answers nothing any more, though the thread may still be there. */
  hasEnded: boolean
}

export interface PgliteClientOptions {
  readonly clock: Clock
  readonly log: Log
  /** Free bytes where the database is. By default those of the file system. */
  readonly freeBytes?: (directory: string) => Promise<number>
  /** The program of the worker thread. */
  readonly program?: URL
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
  /** True once the database was open. */
  ready = false
  closed = false
  readonly #directory: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #freeBytes: (directory: string) => Promise<number>
  readonly #program: URL
  #life: Life
  /** Resolves once the starting thread is open or has ended; nothing is sent to the thread before. */
  #coming: Promise<unknown>
  #reviving: Promise<void> | null = null
  #timer: Timer | null = null
  #lastId = 0
  #waiting = new Map<number, Waiting>()
  readonly #turns = new Turns()
  /** Monotonic time since which it owes an answer, ms. */
  #owesSinceMs = 0
  /**
   * Monotonic time at which it last said, or was seen, to have no room, ms. A statement soon after may never be
   * answered (measured, when its log cannot grow).
   */
  #fullMs = -Infinity

  constructor(directory: string, { clock, log, freeBytes = freeBytesOf, program = PROGRAM }: PgliteClientOptions) {
    this.#directory = directory
    this.#clock = clock
    this.#log = log
    this.#freeBytes = freeBytes
    this.#program = program
    this.#life = this.#begin(true)
    this.waitReady = this.#life.opened
    this.#coming = this.waitReady.catch(() => {})
    this.#lookLater()
  }

  query(sql: string, params: readonly unknown[] = []): Promise<PgliteRows> {
    return this.#inTurn(() => this.#send('query', sql, params))
  }

  /** The rows of a statement that is parsed and planned once, under this name. */
  async queryKept(name: string, sql: string, params: readonly unknown[]): Promise<object[]> {
    const { rows } = await this.#inTurn(() => this.#send('query', sql, params, { name }))
    return [...rows]
  }

  /** Runs several statements in one text; a failing one rolls back what it left open. */
  async script(text: string): Promise<object[]> {
    const { rows } = await this.#inTurn(() => this.#send('script', text, []))
    return [...rows]
  }

  /**
   * Runs `work` with the session to itself; commits, or rolls back when it throws. Its first statement begins the
   * transaction; without a statement there is none.
   */
  transaction<T>(work: (transaction: PgliteTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const life = this.#life
      let isBegun = false
      const query = (sql: string, params: readonly unknown[] = []): Promise<PgliteRows> => {
        if (life !== this.#life) return Promise.reject(stopped())
        const opens = !isBegun
        isBegun = true
        return this.#send('query', sql, params, { opens })
      }
      const end = async (word: 'commit' | 'rollback'): Promise<void> => void (isBegun && (await query(word)))
      try {
        const value = await work({ query, rollback: () => end('rollback') })
        await end('commit')
        return value
      } catch (error) {
        await end('rollback').catch(() => {})
        throw error
      }
    })
  }

  /**
   * Opens the database anew when it has ended, or will not answer any more: it was silent for CHORE_MS, or for
   * EMBEDDED_MS after its disk was full, or did not open within OPEN_MS. What it had committed is there again; waiting
   * callers are told that it has stopped. Call it again while the database is silent: one that cannot be opened is
   * tried again every EMBEDDED_MS, and as soon as its log has room.
   */
  async revive(): Promise<void> {
    this.#reviving ??= this.#reviveOnce().finally(() => {
      this.#reviving = null
    })
    await this.#reviving
  }

  async #reviveOnce(): Promise<void> {
    if (this.closed || !this.ready) return
    const hasRoom = await this.#seeRoom()
    if (this.closed || !this.#isLost() || !this.#isDue(hasRoom)) return
    const coming = Promise.withResolvers<void>()
    this.#coming = coming.promise
    this.#refuseWaiting()
    // Two threads in one directory would spoil it, and a lost one may still write.
    await this.#life.worker.terminate()
    if (this.closed) return coming.resolve()
    const isFirst = this.#life.isOpen
    this.#life = this.#begin(hasRoom)
    void this.#life.opened
      .catch((error: Error) => {
        // Logged once, not for each thread that follows.
        if (isFirst && !this.closed)
          this.#log.warn({ error: error.message }, 'the embedded database could not be opened anew; it is tried again')
      })
      .finally(coming.resolve)
  }

  /**
   * True when there is room for its log. The first write that finds none may be the one that is never answered, and
   * then no error has told of the full disk.
   */
  async #seeRoom(): Promise<boolean> {
    const hasRoom = (await this.#freeBytes(this.#directory)) >= LOG_SEGMENT_BYTES
    if (!hasRoom && this.#waiting.size > 0) this.#fullMs = this.#clock.monotonicMs()
    return hasRoom
  }

  /** Looks at the room regularly too: there may be room again before anybody asks why it is silent. */
  #lookLater(): void {
    this.#timer = this.#clock.after(LOOK_MS, () => {
      if (this.#waiting.size > 0) this.#seeRoom().catch(() => {})
      this.#lookLater()
    })
  }

  #isLost(): boolean {
    const { isOpen, begunMs, hasEnded } = this.#life
    if (hasEnded) return true
    const nowMs = this.#clock.monotonicMs()
    if (!isOpen) return nowMs - begunMs >= OPEN_MS
    const patienceMs = this.#owesSinceMs - this.#fullMs < FULL_MS ? EMBEDDED_MS : CHORE_MS
    return this.#waiting.size > 0 && nowMs - this.#owesSinceMs >= patienceMs
  }

  /** Opening costs a second of CPU, so a failed opening is not repeated all the time. */
  #isDue(hasRoom: boolean): boolean {
    const { isOpen, hadRoom, begunMs } = this.#life
    return isOpen || (hasRoom && !hadRoom) || this.#clock.monotonicMs() - begunMs >= EMBEDDED_MS
  }

  /** Waits for what runs, closes the database and ends the thread. Idempotent. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.#timer?.cancel()
    // A database that is not open, or will not answer any more, would not answer the close.
    if (this.#life.isOpen && !this.#isLost()) await this.#inTurn(() => this.#send('close', '', [])).catch(() => {})
    await this.#reviving
    await this.#life.worker.terminate()
  }

  #begin(hadRoom: boolean): Life {
    const options: PgliteWorkerOptions = { directory: this.#directory }
    const worker = new Worker(this.#program, { workerData: options, name: 'database' })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const life: Life = {
      worker,
      begunMs: this.#clock.monotonicMs(),
      hadRoom,
      opened: promise,
      isOpen: false,
      hasEnded: false,
    }
    worker.on('message', (message: PgliteReply) => {
      if (message.kind === 'ready') this.#opened(life, resolve)
      else if (message.kind !== 'unready') this.#settle(life, message)
      else {
        this.#ended(life, toError(message.error), reject)
        // A thread that failed to open stays alive (measured).
        void worker.terminate()
      }
    })
    worker.on('error', (error) => this.#ended(life, error, reject))
    worker.on('exit', () => this.#ended(life, stopped(), reject))
    return life
  }

  #opened(life: Life, resolve: () => void): void {
    life.isOpen = true
    this.ready = true
    resolve()
  }

  /** Waits until no thread is starting; the next may have been started meanwhile. */
  async #come(): Promise<void> {
    for (let awaited: unknown = null; awaited !== this.#coming;) {
      awaited = this.#coming
      await awaited
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      await this.#come()
      return await work()
    })
  }

  #send(
    op: PgliteRequest['op'],
    sql: string,
    params: readonly unknown[],
    how: Pick<PgliteRequest, 'name' | 'opens'> = {},
  ): Promise<PgliteRows> {
    if (this.#life.hasEnded) return Promise.reject(stopped())
    const request: PgliteRequest = { id: ++this.#lastId, op, sql, params, ...how }
    if (this.#waiting.size === 0) this.#owesSinceMs = this.#clock.monotonicMs()
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      this.#life.worker.postMessage(request)
    })
  }

  #settle(life: Life, message: Extract<PgliteReply, { id: number }>): void {
    if (life !== this.#life) return
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    this.#owesSinceMs = this.#clock.monotonicMs()
    if (message.kind === 'error' && isFull(message.error)) this.#fullMs = this.#owesSinceMs
    if (message.kind === 'result') waiting?.resolve(message.value)
    else waiting?.reject(toError(message.error))
  }

  #ended(life: Life, error: Error, rejectOpened: (error: Error) => void): void {
    rejectOpened(error)
    life.hasEnded = true
    if (life !== this.#life) return
    // Logged once: callers that ask again get the error themselves.
    if (!this.closed && this.#waiting.size > 0) this.#log.error({ error: error.message }, 'embedded database stopped')
    this.#refuseWaiting()
  }

  /** Tells every waiting caller that the database has stopped, whatever befell the thread. */
  #refuseWaiting(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(stopped())
    this.#waiting.clear()
  }
}

function isFull(error: PgliteError): boolean {
  return error.code === DISK_FULL || isDiskFull(toError(error))
}
