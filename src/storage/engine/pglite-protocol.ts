/** What the main thread and the worker that runs the embedded database say to each other. */

export interface PgliteRequest {
  readonly id: number
  /** `script`: several statements in one text, without parameters. */
  readonly op: 'query' | 'script' | 'close'
  readonly sql: string
  readonly params: readonly unknown[]
  /** Name of a kept `query` (`pglite-statements.ts`). */
  readonly name?: string
  /** True when a `query` is the first of a transaction, which it begins. */
  readonly opens?: boolean
}

/** A database error as plain data; `code` is the SQLSTATE, which the exception converter reads. */
export interface PgliteError {
  readonly message: string
  readonly code?: string
  readonly constraint?: string
  readonly table?: string
}

export interface PgliteRows {
  readonly rows: readonly Record<string, unknown>[]
  readonly affectedRows: number
}

export type PgliteReply =
  /** Sent once, when the database is open or cannot be opened. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'unready'; readonly error: PgliteError }
  | { readonly kind: 'result'; readonly id: number; readonly value: PgliteRows }
  | { readonly kind: 'error'; readonly id: number; readonly error: PgliteError }

export interface PgliteWorkerOptions {
  /** Directory of the cluster, made when missing. */
  readonly directory: string
}
