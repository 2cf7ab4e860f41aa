import type { Runtime } from '../actors/engine/runtime.ts'
import type { NodeId, NumberId } from '../src/domain/ids.ts'
import { Platform } from './accounts/platform.ts'
import { Database } from './database.ts'
import { Engine } from './engines/engine.ts'
import { Engines } from './engines/engines.ts'
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

/** The gateways of a cluster. */
export const NODES: readonly NodeId[] = ['node_one', 'node_two', 'node_three']
/** Its engines, by name; each start of one has another id. */
export const ENGINES = ['engine_first', 'engine_second'] as const

export function isEngine(name: string): name is (typeof ENGINES)[number] {
  return ENGINES.some((engine) => engine === name)
}

/** A process of the cluster. */
interface Process {
  readonly machine: Machine
  /** Stops as SIGTERM has it. */
  stop(): Promise<void>
}

/** Three gateways, two engines, their database, their Redis and the device network. */
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
  readonly runtimes: Runtime[] = []
  readonly engines: Engines
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
    this.engines = new Engines(this.network, journal, random.branch())
    this.media = new MediaHosts(new Machine('media', timeline))
    this.platform = new Platform({
      machine: new Machine('platform', timeline),
      network: this.network,
      random: random.branch(),
      journal,
    })
    this.receivers = new Receivers(new Machine('tenants', timeline), this.network, random.branch())
    this.numbers = Array.from({ length: numbers }, (_, at) => this.database.addNumber(`55110000${1_000 + at}`))
    for (const { id, url } of this.database.rows.webhooks.values())
      for (const { secret } of this.database.webhooks.secrets.get(id) ?? []) this.receivers.learn(url, secret)
  }

  /** From now on nothing outside of the service fails or is slow. */
  calm(): void {
    this.upstream.troublePercent = 0
    this.platform.calm()
    this.receivers.troublePercent = 0
    this.network.slowPercent = 0
  }

  /** The process of this name that runs or is frozen. */
  process(name: string): Process | undefined {
    return this.gateways.get(name as NodeId) ?? this.engines.running.get(name)
  }

  /** Starts a process. One of this name that ran before is gone. */
  start(name: string): void {
    const boot = `boot-${++this.#boots}`
    const machine = new Machine(machineOf(name), this.timeline)
    this.journal.note(machine.name, `starts as ${boot}`)
    if (isEngine(name)) return void this.engines.running.set(name, new Engine(this, machine, `${name}-${boot}`))
    const nodeId = name as NodeId
    const gateway = new Gateway(this, nodeId, machine)
    this.gateways.set(nodeId, gateway)
    void gateway.start(boot)
  }

  tellOthers(teller: Gateway, tell: (other: Gateway) => void): void {
    for (const other of this.gateways.values())
      if (other !== teller) this.network.announce(teller.machine, other.machine, () => tell(other))
  }
}
