import type { FlowId } from '../../src/domain/ids.ts'
import type { Cluster } from '../cluster.ts'
import type { Random } from '../random.ts'
import type { Deeds } from './deeds.ts'

/** Of 100 things so many are new Flows, and of those so many have a name that was used. */
const NEW_PERCENT = 20
const AGAIN_PERCENT = 20
const STEPS = [
  'document',
  'document',
  'document',
  'publish',
  'publish',
  'publish',
  'deprecate',
  'rename',
  'remove',
] as const

/** Clients that create Flows and lead them through their states. */
export class FlowClients {
  readonly deeds: Deeds
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #names: string[] = []
  readonly #ids: FlowId[] = []
  #documents = 0

  constructor(cluster: Cluster, random: Random, deeds: Deeds) {
    this.#cluster = cluster
    this.#random = random
    this.deeds = deeds
  }

  /** Does one thing or another. */
  act(): void {
    if (this.#ids.length === 0 || this.#random.chance(NEW_PERCENT)) return void this.#create(this.#name())
    this.#step(this.#random.pick(this.#ids), this.#random.pick(STEPS))
  }

  #name(): string {
    if (this.#names.length > 0 && this.#random.chance(AGAIN_PERCENT)) return this.#random.pick(this.#names)
    const name = `f${this.#names.length + 1}`
    this.#names.push(name)
    return name
  }

  async #create(name: string): Promise<void> {
    const { number } = this.#cluster.database.account
    const given = { name, categories: null, cloneFromFlowId: null }
    const flow = await this.deeds.do({ kind: 'create', name: `the first ${name}`, value: name }, ({ desk }) =>
      desk.flows.create(number, given),
    )
    if (flow) this.#ids.push(flow.id)
  }

  #step(id: FlowId, step: (typeof STEPS)[number]): void {
    const { number } = this.#cluster.database.account
    const does = (value: string | null) => ({ kind: step, name: id, value })
    switch (step) {
      case 'document': {
        const json = `{"version":"7.1","screens":[${++this.#documents}]}`
        return void this.deeds.do(does(json), ({ desk }) => desk.flows.uploadDocument(number, id, json, trusted))
      }
      case 'publish':
        return void this.deeds.do(does('PUBLISHED'), ({ desk }) => desk.flows.publish(number, id))
      case 'deprecate':
        return void this.deeds.do(does('DEPRECATED'), ({ desk }) => desk.flows.deprecate(number, id, null))
      case 'rename': {
        const name = this.#name()
        return void this.deeds.do(does(name), ({ desk }) => desk.flows.patch(number, id, { name, categories: null }))
      }
      case 'remove':
        return void this.deeds.do(does(null), ({ desk }) => desk.flows.remove(number, id))
    }
  }
}

/** What a document may hold is no subject of a simulation. */
function trusted(json: string) {
  return { ok: true, value: json } as const
}
