import { connect, createServer, type Socket } from 'node:net'

/** A proxy to PostgreSQL that counts the statements through it, including `begin`, `set` and `commit`. */
export interface StatementCount {
  /** The address of the server through the proxy. */
  readonly url: string
  /** How often each text was run since the last call. */
  take(): Map<string, number>
  close(): void
}

/** Bytes of a message's type and length (PostgreSQL protocol 3.0); the first message of a connection has no type. */
const HEAD_BYTES = 5

/** Splits what a client sends over one connection into messages. */
class Frontend {
  readonly #run: (text: string) => void
  readonly #texts = new Map<string, string>()
  #bound = ''
  #rest: Buffer = Buffer.alloc(0)
  #isStarted = false

  constructor(run: (text: string) => void) {
    this.#run = run
  }

  take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (let length = this.#length(); length !== null && this.#rest.length >= length; length = this.#length()) {
      if (this.#isStarted)
        this.#message(String.fromCharCode(this.#rest[0] ?? 0), this.#rest.subarray(HEAD_BYTES, length))
      this.#isStarted = true
      this.#rest = this.#rest.subarray(length)
    }
  }

  #length(): number | null {
    if (this.#rest.length < HEAD_BYTES) return null
    return this.#isStarted ? this.#rest.readInt32BE(1) + 1 : this.#rest.readInt32BE(0)
  }

  #message(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2)
    if (type === 'Q') this.#run(first)
    else if (type === 'P') this.#texts.set(first, second)
    else if (type === 'B') this.#bound = second
    else if (type === 'E') this.#run(this.#texts.get(this.#bound) ?? '')
  }
}

/** Starts such a proxy on a free port of this machine. */
export async function countStatements(databaseUrl: string): Promise<StatementCount> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let counts = new Map<string, number>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const frontend = new Frontend((text) => void counts.set(text, (counts.get(text) ?? 0) + 1))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (bytes) => frontend.take(bytes))
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: url.href,
    take() {
      const taken = counts
      counts = new Map()
      return taken
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
