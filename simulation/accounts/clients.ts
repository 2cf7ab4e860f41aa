import type { Client } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import type { Random } from '../random.ts'
import { Deeds } from './deeds.ts'
import type { Desk } from './desk.ts'
import { FlowClients } from './flow-clients.ts'
import { ACCOUNT_ID } from './stores.ts'
import { TemplateClients } from './template-clients.ts'

/** One thing happens each so many ms. */
const EVERY_MS = [100, 1_500] as const

/** Clients of an account of the official platform, and what upstream tells its gateways. */
export class AccountClients {
  readonly templates: TemplateClients
  readonly flows: FlowClients
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #client: Client

  constructor(cluster: Cluster, random: Random, client: Client) {
    this.#cluster = cluster
    this.#random = random
    this.#client = client
    this.templates = new TemplateClients(cluster, random, new Deeds(cluster, client))
    this.flows = new FlowClients(cluster, random, new Deeds(cluster, client))
  }

  /** Goes on until `untilMs`. */
  begin(untilMs: number): void {
    const { timeline, platform, database } = this.#cluster
    const { tenantId } = database.account.number
    const told = { tenantId, accountId: ACCOUNT_ID }
    platform.templates.front.tell = (news) => this.#tell(({ templates }) => templates.told({ ...told, ...news }))
    platform.flows.front.tell = (news) => this.#tell(({ flows }) => flows.told({ ...told, ...news }))
    const next = (): void => {
      if (timeline.nowMs >= untilMs) return
      if (this.#random.chance(50)) this.templates.act()
      else this.flows.act()
      timeline.after(this.#random.between(...EVERY_MS), next)
    }
    timeline.after(this.#random.between(...EVERY_MS), next)
  }

  /** Has the whole account listed. */
  async sync(): Promise<void> {
    const { number } = this.#cluster.database.account
    await this.#client.under(() =>
      this.#client.untilAnswered(async ({ desk }) => {
        const listed = [await desk.templates.sync(number), await desk.flows.sync(number)]
        if (!listed.every(({ ok }) => ok)) throw new Error('not yet')
      }),
    )
  }

  async #tell(take: (desk: Desk) => Promise<void>): Promise<void> {
    if (!(await this.#client.ask(({ desk }) => take(desk)))) throw new Error('nobody took it in')
  }
}
