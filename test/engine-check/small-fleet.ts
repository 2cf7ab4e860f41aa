import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SmallEngine, type SmallSession } from './small-engine.ts'

/** What the engines of a small fleet share, as a database would hold it. */
interface Shared {
  readonly sessions: Map<string, SmallSession>
  /** The engine that each number is leased to. */
  readonly holders: Map<string, FleetEngine>
}

/**
 * An engine among others: a number that another one holds is refused, and once that one is dead the number is taken
 * with all that was stored. A broken one overrides one step.
 */
export class FleetEngine extends SmallEngine {
  readonly engineId: string
  isDead = false
  /** Whether it took a number over. */
  protected isTaker = false
  readonly #shared: Shared
  /** Numbers of a dead engine whose lease was met once, and has run out since. */
  readonly #lapsed = new Set<string>()

  constructor(engineId: string, shared: Shared) {
    super()
    this.engineId = engineId
    this.#shared = shared
  }

  /** Dies as with kill -9: its sockets end without a word, and its numbers stay leased to it for a while. */
  die(): void {
    this.isDead = true
    this.close()
  }

  /** The sessions of the numbers that it holds. */
  held(): SmallSession[] {
    return [...this.#shared.sessions.values()].filter(({ numberId }) => this.#shared.holders.get(numberId) === this)
  }

  protected override elsewhere(numberId: string): string | null {
    const holder = this.#shared.holders.get(numberId)
    if (holder === undefined || holder === this) return null
    if (!holder.isDead || !this.#lapsed.has(numberId)) {
      if (holder.isDead) this.#lapsed.add(numberId)
      return this.heldBy(holder)
    }
    const session = this.#shared.sessions.get(numberId)
    if (session) this.takeOver(session)
    return null
  }

  /** The refusal of a number that `holder` has. */
  protected heldBy({ engineId }: FleetEngine): string | null {
    return `421 Misdirected Request\r\nengine-id: ${engineId}\r\nretry-after: 1`
  }

  /** Takes what a dead engine stored of a number. */
  protected takeOver(session: SmallSession): void {
    this.isTaker = true
    session.socket = null
    session.isStarted = false
  }

  protected override session(numberId: string): SmallSession {
    const session = this.#shared.sessions.get(numberId) ?? super.session(numberId)
    this.#shared.sessions.set(numberId, session)
    this.#shared.holders.set(numberId, this)
    return session
  }
}

export type MakeEngine = (engineId: string, shared: Shared) => FleetEngine

/** Two engines that share their numbers. */
export class SmallFleet {
  readonly engines: readonly FleetEngine[]
  /** Kills an engine by its address. */
  readonly kill: (url: string) => void
  readonly #urls = new Map<string, FleetEngine>()
  readonly #control = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      this.kill((JSON.parse(Buffer.concat(chunks).toString()) as { url: string }).url)
      response.end()
    })()
  })

  constructor(make: MakeEngine = (...parts) => new FleetEngine(...parts)) {
    const shared: Shared = { sessions: new Map(), holders: new Map() }
    this.engines = [make('engine_a', shared), make('engine_b', shared)]
    this.kill = (url) => this.#urls.get(url)?.die()
  }

  /** Listens on loopback; resolves to the addresses of the engines, and that of a route that kills them. */
  async listen(): Promise<{ readonly url: string; readonly other: string; readonly killUrl: string }> {
    for (const engine of this.engines) this.#urls.set(await engine.listen(), engine)
    this.#control.listen(0, '127.0.0.1')
    await once(this.#control, 'listening')
    const [url = '', other = ''] = this.#urls.keys()
    return { url, other, killUrl: `http://127.0.0.1:${(this.#control.address() as AddressInfo).port}/kill` }
  }

  close(): void {
    for (const engine of this.engines) engine.close()
    this.#control.close()
  }
}
