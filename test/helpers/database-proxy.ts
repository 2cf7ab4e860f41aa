import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/**
 * What happens to connections. `forward`: they work. `hang`: they are accepted and nothing is answered. `refuse`: they
 * are cut at once.
 */
type Mode = 'forward' | 'hang' | 'refuse'

/** A proxy to a server that can cut it off. */
export interface DatabaseProxy {
  /** The address of the server through the proxy. */
  readonly url: string
  /** Sets the mode, for open connections too; `refuse` cuts those that were forwarded. */
  set(mode: Mode): void
  /** The number of open connections. */
  count(): number
  /** Holds back the next wanted statement of a client. Resolves once the proxy has it. */
  keepNext(isWanted: (said: string) => boolean): Promise<void>
  /** Forwards the statements that were held back. */
  letGo(): void
  close(): void
}

/** Passes on what clients send, except statements that are held back. */
class Keeper {
  readonly #awaited = new Set<{ isWanted(said: string): boolean; resolve(): void }>()
  #kept: (() => void)[] = []

  /** The stream of one connection. */
  passage(): Transform {
    return new Transform({ transform: (said: Buffer, _, pass) => this.#take(said, () => pass(null, said)) })
  }

  keepNext(isWanted: (said: string) => boolean): Promise<void> {
    return new Promise((resolve) => void this.#awaited.add({ isWanted, resolve }))
  }

  letGo(): void {
    for (const pass of this.#kept) pass()
    this.#kept = []
  }

  #take(said: Buffer, pass: () => void): void {
    const text = this.#awaited.size === 0 ? '' : said.toString('latin1')
    const awaited = [...this.#awaited].find(({ isWanted }) => isWanted(text))
    if (!awaited) return pass()
    this.#kept.push(pass)
    this.#awaited.delete(awaited)
    awaited.resolve()
  }
}

/** Starts a proxy to PostgreSQL on a free port of this machine. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const clients = new Set<Socket>()
  const ends: Socket[] = []
  let mode: Mode = 'forward'
  const keeper = new Keeper()
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    if (mode === 'refuse') return void client.destroy()
    clients.add(client)
    const upstream = connect(Number(target.port || 5432), target.hostname)
    ends.push(client, upstream)
    upstream.on('error', () => upstream.destroy())
    client.on('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
    client.pipe(keeper.passage()).pipe(upstream).pipe(client)
    if (mode === 'hang') upstream.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  const upstreams = (): Socket[] => ends.filter((_, index) => index % 2 === 1)
  return {
    url: url.href,
    set(next) {
      mode = next
      if (next === 'refuse') for (const socket of clients) socket.destroy()
      for (const socket of upstreams()) {
        if (next === 'hang') socket.pause()
        else socket.resume()
      }
    },
    count: () => clients.size,
    keepNext: (isWanted) => keeper.keepNext(isWanted),
    letGo: () => keeper.letGo(),
    close() {
      server.close()
      for (const socket of ends) socket.destroy()
    },
  }
}
