import { newId, type MessageBatchId, type NumberId } from '../src/domain/ids.ts'
import type { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { BatchText } from './database.ts'
import type { Random } from './random.ts'
import type { Accepted, Canceled } from './seen.ts'
import { PEOPLE } from './upstream.ts'

/** A batch is sent each so many ms. */
const EVERY_MS = [3_000, 15_000] as const
const SIZES = [2, 12] as const
const PACES = [null, 60, 240] as const
/** Of 100 batches so many are canceled, so many ms after they were accepted. */
const CANCELED_PERCENT = 35
const CANCELED_MS = [0, 6_000] as const

/** Clients that send batches, and cancel some. */
export class BatchClients {
  readonly canceled: Canceled[] = []
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #client: Client
  readonly #accepted: Accepted[]
  #count = 0

  /** What is accepted is put into `accepted`, beside single sends. */
  constructor(cluster: Cluster, random: Random, client: Client, accepted: Accepted[]) {
    this.#cluster = cluster
    this.#random = random
    this.#client = client
    this.#accepted = accepted
  }

  /** Goes on until `untilMs`. */
  begin(untilMs: number): void {
    const { timeline, numbers } = this.#cluster
    const next = (): void => {
      if (timeline.nowMs >= untilMs) return
      void this.#client.under(() => this.#send(this.#random.pick(numbers)))
      timeline.after(this.#random.between(...EVERY_MS), next)
    }
    timeline.after(this.#random.between(...EVERY_MS), next)
  }

  async #send(numberId: NumberId): Promise<void> {
    const { timeline, journal } = this.#cluster
    const texts = Array.from({ length: this.#random.between(...SIZES) }, (): BatchText => {
      return { address: this.#random.pick(PEOPLE), text: `b${++this.#count}` }
    })
    const batch = { id: newId('bat'), numberId, perMinute: this.#random.pick(PACES), texts }
    const willCancel = this.#random.chance(CANCELED_PERCENT)
    const messageIds = await this.#client.untilAnswered((gateway) => gateway.acceptBatch(batch))
    journal.note('client', `${batch.id} is ${messageIds === null ? 'refused' : 'accepted'}`)
    for (const [place, messageId] of (messageIds ?? []).entries()) {
      const text = texts[place]
      if (text)
        this.#accepted.push({
          ...text,
          numberId,
          messageId,
          atMs: timeline.nowMs,
          deliverAtMs: null,
          batch: { id: batch.id, place, perMinute: batch.perMinute },
        })
    }
    if (willCancel && messageIds !== null)
      this.#client.machine.after(this.#random.between(...CANCELED_MS), () => this.#cancel(numberId, batch.id))
  }

  #cancel(numberId: NumberId, batchId: MessageBatchId): void {
    void this.#client.under(async () => {
      const told = await this.#client.untilAnswered((gateway) => gateway.cancelBatch(numberId, batchId))
      this.#cluster.journal.note('client', `${batchId}: ${told ?? 'none'} canceled`)
      this.canceled.push({ batchId, told: told ?? 0 })
    })
  }
}
