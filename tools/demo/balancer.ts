import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { binding } from '../../src/process/start-fault.ts'

/** Our choice, in ms: a node on this machine that has not accepted a connection by then is taken for gone. */
const CONNECT_MS = 1_000

export interface Node {
  readonly name: string
  readonly port: number
}

/**
 * A small HTTP balancer in front of the nodes on this machine. Each request goes to the next node in turn, or to the
 * one after it when that node accepts no connection. A request that a node has received is never repeated. Production
 * uses a better balancer (docs/scale.md).
 */
export class Balancer {
  readonly #server: Server
  #nodes: readonly Node[] = []
  #turn = 0

  private constructor() {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing))
    // An event stream stays open as long as it is read.
    this.#server.requestTimeout = 0
  }

  /** Starts the balancer; port 0 is any free port. Rejects when the port is taken. */
  static async listen(port: number, host = '127.0.0.1'): Promise<Balancer> {
    const balancer = new Balancer()
    balancer.#server.listen(port, host)
    await once(balancer.#server, 'listening')
    return balancer
  }

  /**
   * Listens on the given port, with a StartFault when it is taken. Without a given port it listens on the usual one, or
   * on any free one when that is taken.
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

  /** Replaces the list of nodes. */
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

  /** A connection to the next node that accepts one; null when none does. */
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
