import type { Webhook } from '../src/domain/webhook.ts'
import type { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Random } from './random.ts'
import type { Unverified } from './seen.ts'

/** The secret of a webhook is rotated each so many ms. */
const EVERY_MS = [1_000, 8_000] as const
/** The last secret and the one before it sign. */
const SIGNING = 2

/** Tenants that rotate the secrets of their webhooks, one rotation of each after the other. */
export class RotationClients {
  /** What a tenant could not verify although it knew one of the secrets that sign. */
  readonly unverified: Unverified[] = []
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #client: Client
  /** The endpoints whose secret is being rotated. */
  readonly #rotating = new Set<string>()
  /** How many rotations a gateway may have done of which the tenant knows no secret, by endpoint. */
  readonly #unheard = new Map<string, number>()

  constructor(cluster: Cluster, random: Random, client: Client) {
    this.#cluster = cluster
    this.#random = random
    this.#client = client
  }

  /** Goes on until `untilMs`, and afterwards where a tenant cannot verify what it is told. */
  begin(untilMs: number): void {
    const { timeline, database, receivers } = this.#cluster
    const webhooks = [...database.rows.webhooks.values()]
    const next = (): void => {
      if (timeline.nowMs >= untilMs) return
      this.#rotate(this.#random.pick(webhooks))
      timeline.after(this.#random.between(...EVERY_MS), next)
    }
    timeline.after(this.#random.between(...EVERY_MS), next)
    receivers.refused = (unverified) => {
      if (this.#unheardOf(unverified.url) < SIGNING) this.unverified.push(unverified)
      // It knows no secret that signs any more, and asks for another one.
      for (const webhook of webhooks) if (webhook.url === unverified.url) this.#rotate(webhook)
    }
  }

  #rotate(webhook: Webhook): void {
    const { url } = webhook
    if (this.#rotating.has(url)) return
    this.#rotating.add(url)
    void this.#client.under(async () => {
      const secret = await this.#client.untilAnswered((gateway) => {
        this.#unheard.set(url, this.#unheardOf(url) + 1)
        return gateway.rotateSecret(webhook)
      })
      this.#unheard.set(url, this.#unheardOf(url) - 1)
      if (secret !== null) this.#cluster.receivers.learn(url, secret)
      this.#rotating.delete(url)
      this.#cluster.journal.note('client', `${webhook.id} has ${secret === null ? 'no secret' : 'a new secret'}`)
    })
  }

  #unheardOf(url: string): number {
    return this.#unheard.get(url) ?? 0
  }
}
