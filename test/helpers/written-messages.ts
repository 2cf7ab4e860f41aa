import type { ExecutionContext } from 'ava'
import type { Cluster } from './cluster.ts'
import type { Answer, PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

const PEER = '5511977770000'

/** Messages written to the numbers of a cluster: each must be stored and told once, whatever happens to gateways. */
export class WrittenMessages {
  readonly #cluster: Cluster
  readonly #numbers: readonly PairedNumber[]
  /** Upstream ids, by number. */
  readonly #written = new Map<string, Set<string>>()
  count = 0

  constructor(cluster: Cluster, numbers: readonly PairedNumber[]) {
    this.#cluster = cluster
    this.#numbers = numbers
  }

  /** Writes one text to each number. */
  async writeToAll(): Promise<void> {
    const service = this.#anyService()
    for (const number of this.#numbers) {
      const { status, body, text }: Answer = await service.control('POST', `/peers/${PEER}/messages`, {
        to: number.digits,
        text: `text ${++this.count}`,
      })
      if (status !== 201) throw new Error(`not written: ${status} ${text}`)
      this.#written.set(number.id, (this.#written.get(number.id) ?? new Set()).add(body.externalMessageId))
    }
  }

  /**
   * Waits until everything written is stored, and asserts that nothing is there twice, neither as a message nor as an
   * event.
   */
  async assertToldOnce(t: ExecutionContext): Promise<void> {
    await until('all messages are stored', async () => {
      const [row] = await this.#cluster.rows<{ count: number }>(
        `select count(*)::integer as count from messages where direction = 'INBOUND'`,
      )
      return row?.count === this.count
    })
    for (const number of this.#numbers) {
      const wanted = this.#written.get(number.id)?.size ?? 0
      const events = await until('each is told of', async () => {
        const told = await this.#anyService().events(number, 'message.received')
        return told.length >= wanted ? told : null
      })
      t.is(events.length, wanted, 'none is told of twice')
    }
  }

  #anyService(): Service {
    const [node] = this.#cluster.running
    if (!node) throw new Error('no node runs')
    return node.service
  }
}
