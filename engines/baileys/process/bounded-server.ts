import { createServer, type RequestListener, type Server } from 'node:http'

/** our choice, in ms: whoever connects has something to say at once, and a request is small; looked at this often. */
const REQUEST_MS = 10_000
const LOOK_MS = 2_000

export interface ServerBounds {
  /** Connections at most. */
  readonly most: number
  /** How long a connection may be open before its request is there, in ms, headers and body each. Default 10 s. */
  readonly requestMs?: number | undefined
}

/**
 * A server of one of the engine's ports. A connection that says nothing, or its request too slowly, is answered 408 and
 * cut.
 */
export function createBoundedServer({ most, requestMs = REQUEST_MS }: ServerBounds, serve: RequestListener): Server {
  const server = createServer(
    { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: Math.min(LOOK_MS, requestMs) },
    serve,
  )
  server.maxConnections = most
  return server
}
