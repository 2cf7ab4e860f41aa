import { Worker } from 'node:worker_threads'
import type { Log } from '../ports/log.ts'
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

/**
 * The embedded database as the ORM's dialect sees it (`query`, `transaction`, `close`), with the
 * database itself in a worker thread. It has one session, so a transaction holds the whole of
 * it: queries from outside wait until it ends.
 */
export class PgliteClient {
  readonly waitReady: Promise<void>
  ready = false
  closed = false
  #worker: Worker
  #log: Log
  #lastId = 0
  #waiting = new Map<number, Waiting>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(directory: string, log: Log) {
    const options: PgliteWorkerOptions = { directory }
    this.#log = log
    this.#worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: options, name: 'database' })
    this.waitReady = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: PgliteReply) => {
        if (message.kind === 'ready') {
          this.ready = true
          resolve()
        } else if (message.kind === 'unready') {
          reject(toError(message.error))
        } else {
          this.#settle(message)
        }
      })
      this.#worker.on('error', (error) => this.#fail(error, reject))
      this.#worker.on('exit', () => this.#fail(new Error('the embedded database has stopped'), reject))
    })
    this.waitReady.catch(() => {})
  }

  query(sql: string, params: readonly unknown[] = []): Promise<PgliteRows> {
    return this.#inTurn(() => this.#send('query', sql, params))
  }

  /** Runs several statements in one text; one that fails rolls back what it left open. */
  async script(text: string): Promise<object[]> {
    const { rows } = await this.#inTurn(() => this.#send('script', text, []))
    return [...rows]
  }

  /** Runs `work` with the session to itself; commits, or rolls back when it throws. */
  transaction<T>(work: (transaction: PgliteTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#send('query', 'begin', [])
      try {
        const value = await work({
          query: (sql, params = []) => this.#send('query', sql, params),
          rollback: async () => void await this.#send('query', 'rollback', []),
        })
        await this.#send('query', 'commit', [])
        return value
      } catch (error) {
        await this.#send('query', 'rollback', []).catch(() => {})
        throw error
      }
    })
  }

  /** Waits for what runs, closes the database and ends the thread. Idempotent. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    // A database that did not open answers nothing.
    if (this.ready) await this.#inTurn(() => this.#send('close', '', [])).catch(() => {})
    await this.#worker.terminate()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  #send(op: PgliteRequest['op'], sql: string, params: readonly unknown[]): Promise<PgliteRows> {
    if (this.#worker.threadId === -1) return Promise.reject(new Error('the embedded database has stopped'))
    const request: PgliteRequest = { id: ++this.#lastId, op, sql, params }
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      this.#worker.postMessage(request)
    })
  }

  #settle(message: Extract<PgliteReply, { id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'result') waiting?.resolve(message.value)
    else waiting?.reject(toError(message.error))
  }

  #fail(error: Error, rejectReady: (error: Error) => void): void {
    if (!this.closed) this.#log.error({ error: error.message }, 'embedded database stopped')
    rejectReady(error)
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}
