import type { Wire } from '../src/cluster/wire.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'

/** The channels of Redis: who hears them. It keeps nothing, and is on a machine of its own. */
export class Wires {
  readonly network: Network
  readonly machine: Machine
  readonly #listeners = new Map<string, { readonly node: Machine; readonly hear: (text: string) => void }>()

  constructor(network: Network, machine: Machine) {
    this.network = network
    this.machine = machine
  }

  listen(channel: string, node: Machine, hear: (text: string) => void): void {
    this.#listeners.set(channel, { node, hear })
  }

  unlisten(channel: string, node: Machine): void {
    if (this.#listeners.get(channel)?.node === node) this.#listeners.delete(channel)
  }

  /** Passes a message on; answers how many were connected. */
  pass(channel: string, text: string): number {
    const listener = this.#listeners.get(channel)
    if (!listener || listener.node.isDead) return 0
    this.network.announce(this.machine, listener.node, () => listener.hear(text))
    return 1
  }
}

/** The wire of one node, which reaches the others through Redis. */
export class NodeWire implements Wire {
  readonly #wires: Wires
  readonly #node: Machine

  constructor(wires: Wires, node: Machine) {
    this.#wires = wires
    this.#node = node
  }

  isUp(): boolean {
    return !this.#wires.network.isCut(this.#node.name, this.#wires.machine.name)
  }

  async publish(channel: string, text: string): Promise<number> {
    const { network, machine } = this.#wires
    const carried = await network.ask(this.#node, machine, () => this.#wires.pass(channel, text))
    if (carried.kind === 'answered') return carried.value
    throw new Error('the wire is away')
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    this.#wires.listen(channel, this.#node, listener)
  }

  async unsubscribe(channel: string): Promise<void> {
    this.#wires.unlisten(channel, this.#node)
  }
}
