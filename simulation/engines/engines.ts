import type { ProviderEvent, SessionSpec } from '../../src/ports/provider.ts'
import type { Journal } from '../journal.ts'
import type { Machine } from '../machine.ts'
import type { Network } from '../network.ts'
import type { Random } from '../random.ts'
import type { Engine } from './engine.ts'
import { Session } from './session.ts'

/** The engines that run or are frozen, by the name of their machine, as gateways find them in the register. */
export class Engines {
  readonly running = new Map<string, Engine>()
  readonly network: Network
  readonly journal: Journal
  readonly #random: Random
  /** Told of each session as its node opens it. */
  opened: (session: Session) => void = () => {}

  constructor(network: Network, journal: Journal, random: Random) {
    this.network = network
    this.journal = journal
    this.#random = random
  }

  pick(id: string | null): Engine | null {
    const all = [...this.running.values()].filter(({ machine }) => !machine.isDead)
    if (all.length === 0) return null
    return all.find((engine) => engine.id === id) ?? this.#random.pick(all)
  }

  open(owner: Machine, spec: SessionSpec, listener: (event: ProviderEvent) => void): Session {
    const session = new Session(this, owner, spec, listener)
    this.opened(session)
    session.keep()
    return session
  }
}
