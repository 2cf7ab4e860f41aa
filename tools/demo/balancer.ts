import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { binding } from '../../src/process/start-fault.ts'

/** Our choice: a node of this machine that does not take a connection by then is as good as gone. */
const CONNECT_MS = 1_000

export interface Node {
  readonly name: string
  readonly port: number
}

/**
 * A small HTTP balancer in front of the nodes of this machine: each request goes to the next node in turn, and where
 * that takes no connection, to the one after it. Nothing is repeated that a node has been told. Production has better
 * ones (docs/scale.md).
 */
export class Balancer {
  readonly #server: Server
  #nodes: readonly Node[] = []
  #turn = 0

  private constructor() {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing))
    // Streams of events stay open as long as they are read.
    this.#server.requestTimeout = 0
  }

  /** Port 0 is any free one. Rejects when the port is taken. */
  static async listen(port: number, host = '127.0.0.1'): Promise<Balancer> {
    const balancer = new Balancer()
    balancer.#server.listen(port, host)
    await once(balancer.#server, 'listening')
    return balancer
  }

  /**
   * The port that is given is meant: where it is taken, a StartFault says so. The usual one is not insisted on: where
   * it is taken, any free one will do.
   */
  static async listenOn({
    given,
    usual,
    host,
  }: {
    readonly given: string | undefined
    readonly usual: number
    readonly host: string
  }): Promise<Balancer> {
    if (given) return await binding('PORT', host, Number(given), () => Balancer.listen(Number(given), host))
    return await Balancer.listen(usual, host).catch(() => Balancer.listen(0, host))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The nodes from now on. */
  use(nodes: readonly Node[]): void {
    this.#nodes = nodes
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const socket = await this.#reach()
    if (!socket) {
      outgoing
        .writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
        .end('{"error":"No node can be reached","code":"UNAVAILABLE"}')
      return
    }
    const upstream = httpRequest(
      {
        method: incoming.method,
        path: incoming.url,
        createConnection: () => socket,
        headers: { ...incoming.headers, connection: 'close', 'x-forwarded-for': incoming.socket.remoteAddress },
      },
      (answer) => {
        const { connection: _connection, ...headers } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, headers)
        answer.pipe(outgoing)
        answer.once('error', () => outgoing.destroy())
      },
    )
    upstream.once('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else
        outgoing
          .writeHead(502, { 'content-type': 'application/json' })
          .end('{"error":"The node broke off","code":"BAD_GATEWAY"}')
    })
    outgoing.once('close', () => upstream.destroy())
    incoming.pipe(upstream)
  }

  /** A connection to the next node that takes one; null when none does. */
  async #reach(): Promise<Socket | null> {
    const nodes = this.#nodes
    for (let tried = 0; tried < nodes.length; tried++) {
      const node = nodes[this.#turn++ % nodes.length]
      const socket = node ? await connected(node.port) : null
      if (socket) return socket
    }
    return null
  }
}

async function connected(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
    return socket
  } catch {
    socket.destroy()
    return null
  }
}
