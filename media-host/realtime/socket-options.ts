import type { Log } from '../../src/ports/log.ts'
import type { UpgradeDecision, UpgradeRequest } from './connection.ts'
import type { UnaskedBounds } from './unasked-connections.ts'

/** A path on which WebSockets are taken. */
export interface SocketRoute {
  /** Ends with `/*` or names one path. */
  readonly pattern: string
  /** What clients with such a query may send: messages of so many bytes. */
  readonly longer?: { readonly bytes: number; isFor(query: URLSearchParams): boolean }
  /** Decides at once: the request is gone when this returns. */
  upgrade(request: UpgradeRequest): UpgradeDecision
}

/** A path that answers GET. */
export interface PageRoute {
  readonly path: string
  readonly contentType: string
  body(): Promise<string> | string
}

/** What a socket may cost in the library, in bytes. */
export interface SocketBounds {
  /** The longest message; the library cuts a connection that sends a longer one before it is whole. */
  readonly longestMessage: number
  /** What may wait to be sent until the library cuts the connection; 0: any amount. */
  readonly mostUnsent: number
}

export interface SocketServerOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly sockets: readonly SocketRoute[]
  readonly log: Log
  readonly pages?: readonly PageRoute[]
  /** Those for strangers unless told. */
  readonly bounds?: SocketBounds
  readonly unasked?: UnaskedBounds
}

export interface SocketServer {
  /** The port that was taken. */
  readonly port: number
  /** Cuts every connection and stops listening. Idempotent. */
  close(): void
}
