import { pause } from '../actors/engine/pause.ts'
import type { Cluster } from './cluster.ts'
import type { Gateway } from './gateway.ts'
import type { Machine } from './machine.ts'
import type { Random } from './random.ts'

/** A client tries again after so many ms. */
const AGAIN_MS = [100, 2_000] as const

/** A client of the REST API: it asks one gateway or another, over the network. */
export class Client {
  readonly machine: Machine
  readonly #cluster: Cluster
  readonly #random: Random
  /** Requests that are not over. */
  #open = 0

  constructor(cluster: Cluster, random: Random, machine: Machine) {
    this.#cluster = cluster
    this.#random = random
    this.machine = machine
  }

  get isIdle(): boolean {
    return this.#open === 0
  }

  /** Counts as under way until it has settled. */
  async under<T>(run: () => Promise<T>): Promise<T> {
    this.#open += 1
    const value = await run()
    this.#open -= 1
    return value
  }

  /** Asks one gateway. Null when it gave no answer, so that it is unknown what it did. */
  async ask<T>(ask: (gateway: Gateway) => Promise<T>): Promise<{ readonly value: T } | null> {
    const { network, gateways } = this.#cluster
    const gateway = gateways.get(this.#random.pick([...gateways.keys()]))
    if (!gateway) return null
    const carried = await network.ask(this.machine, gateway.machine, () => ask(gateway)).catch(() => null)
    return carried?.kind === 'answered' ? carried : null
  }

  /** Asks once. False when it was refused, and when it is unknown what was done. */
  async once(ask: (gateway: Gateway) => Promise<boolean>): Promise<boolean> {
    return (await this.ask(ask))?.value ?? false
  }

  /** Asks one gateway after the other until one answers. */
  async untilAnswered<T>(ask: (gateway: Gateway) => Promise<T>): Promise<T> {
    for (;;) {
      const answer = await this.ask(ask)
      if (answer) return answer.value
      await pause(this.machine, this.#random.between(...AGAIN_MS))
    }
  }
}
