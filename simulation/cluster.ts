import type { NodeId, NumberId } from '../src/domain/ids.ts'
import { Platform } from './accounts/platform.ts'
import { Database } from './database.ts'
import { Gateway } from './gateway.ts'
import type { Journal } from './journal.ts'
import { Machine, machineOf } from './machine.ts'
import { MediaHosts } from './media.ts'
import { Network } from './network.ts'
import { Wires } from './node-wire.ts'
import type { Random } from './random.ts'
import { Receivers } from './receivers.ts'
import type { Timeline } from './timeline.ts'
import { Upstream } from './upstream.ts'

/** Three gateways, their database, their Redis and the device network. */
export class Cluster {
  readonly timeline: Timeline
  readonly network: Network
  readonly journal: Journal
  readonly database: Database
  readonly wires: Wires
  readonly upstream: Upstream
  readonly receivers: Receivers
  readonly media: MediaHosts
  /** The official platform, with one account. */
  readonly platform: Platform
  /** The processes that run or are frozen, by node. */
  readonly gateways = new Map<NodeId, Gateway>()
  readonly numbers: readonly NumberId[]
  #boots = 0

  constructor(timeline: Timeline, random: Random, journal: Journal, numbers: number) {
    this.timeline = timeline
    this.journal = journal
    this.network = new Network(timeline, random.branch())
    this.database = new Database(new Machine('database', timeline))
    this.wires = new Wires(this.network, new Machine('redis', timeline))
    const machine = new Machine('upstream', timeline)
    this.upstream = new Upstream({ machine, network: this.network, random: random.branch(), journal })
    this.media = new MediaHosts(new Machine('media', timeline))
    this.platform = new Platform({
      machine: new Machine('platform', timeline),
      network: this.network,
      random: random.branch(),
      journal,
    })
    this.receivers = new Receivers(new Machine('tenants', timeline), this.network, random.branch())
    this.numbers = Array.from({ length: numbers }, (_, at) => this.database.addNumber(`55110000${1_000 + at}`))
  }

  /** From now on nothing outside of the service fails or is slow. */
  calm(): void {
    this.upstream.troublePercent = 0
    this.platform.calm()
    this.receivers.troublePercent = 0
    this.network.slowPercent = 0
  }

  /** Starts a process for a node. One that ran before is gone. */
  start(nodeId: NodeId): void {
    const boot = `boot-${++this.#boots}`
    const gateway = new Gateway(this, nodeId, new Machine(machineOf(nodeId), this.timeline))
    this.gateways.set(nodeId, gateway)
    this.journal.note(gateway.machine.name, `starts as ${boot}`)
    void gateway.start(boot)
  }

  tellOthers(teller: Gateway, tell: (other: Gateway) => void): void {
    for (const other of this.gateways.values())
      if (other !== teller) this.network.announce(teller.machine, other.machine, () => tell(other))
  }
}
