import type { Log } from '../../src/ports/log.ts'
import type { UpgradeDecision, UpgradeRequest } from './connection.ts'
import type { UnaskedBounds } from './unasked-connections.ts'

/** A path that takes WebSockets. */
export interface SocketRoute {
  /** One path, or with a final `/*` all paths below. */
  readonly pattern: string
  /** A greater limit, in bytes, for the messages of clients with certain queries. */
  readonly longer?: { readonly bytes: number; isFor(query: URLSearchParams): boolean }
  /** Decides at once, because the request is gone when this returns. */
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
  /** The longest message. The library cuts a connection that sends a longer one before it is complete. */
  readonly longestMessage: number
  /** Most unsent bytes before the library cuts the connection; 0 for no limit. */
  readonly mostUnsent: number
}

export interface SocketServerOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly sockets: readonly SocketRoute[]
  readonly log: Log
  readonly pages?: readonly PageRoute[]
  /** Defaults to the bounds for strangers. */
  readonly bounds?: SocketBounds
  readonly unasked?: UnaskedBounds
}

export interface SocketServer {
  /** The bound port. */
  readonly port: number
  /** Cuts every connection and stops listening. Idempotent. */
  close(): void
}
