import { createServer, type RequestListener, type Server } from 'node:http'

/**
 * our choice, in ms: a client has something to say at once, and a request is small. Connections are checked every
 * LOOK_MS.
 */
const REQUEST_MS = 10_000
const LOOK_MS = 2_000

export interface ServerBounds {
  /** Most connections. */
  readonly most: number
  /** How long a connection may take to send its headers, and its body, in ms each. Default 10 s. */
  readonly requestMs?: number | undefined
}

/**
 * Makes the server of one of the engine's ports. A connection that sends nothing, or its request too slowly, is
 * answered 408 and cut.
 */
export function createBoundedServer({ most, requestMs = REQUEST_MS }: ServerBounds, serve: RequestListener): Server {
  const server = createServer(
    { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: Math.min(LOOK_MS, requestMs) },
    serve,
  )
  server.maxConnections = most
  return server
}
