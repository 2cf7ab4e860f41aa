import type { Outcome } from '../../src/domain/errors.ts'
import type { Client } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import type { Gateway } from '../gateway.ts'

/** What a client asked for of a template or a Flow, and what it was told. */
export interface Deed {
  readonly kind: string
  /** Names the template or the Flow. */
  readonly name: string
  /** What the deed makes of it; null for a removal. */
  readonly value: string | null
  readonly beganMs: number
  readonly endedMs: number
  /** `unknown`: there was no answer, or one that says that nobody knows. */
  readonly answer: 'done' | 'refused' | 'unknown'
}

/** What says that upstream did not answer, so that nobody knows. */
const IN_DOUBT = 'OFFICIAL_ERROR'

/** Does what clients ask for, and keeps what they were told. */
export class Deeds {
  readonly all: Deed[] = []
  readonly #cluster: Cluster
  readonly #client: Client

  constructor(cluster: Cluster, client: Client) {
    this.#cluster = cluster
    this.#client = client
  }

  /** Asks one gateway. Gives what was answered; null when it was refused or is unknown. */
  async do<T>(
    { kind, name, value }: Pick<Deed, 'kind' | 'name' | 'value'>,
    ask: (gateway: Gateway) => Promise<Outcome<T>>,
  ): Promise<T | null> {
    const { timeline, journal } = this.#cluster
    const beganMs = timeline.nowMs
    const told = await this.#client.under(() => this.#client.ask(ask))
    const answer = answerOf(told?.value ?? null)
    this.all.push({ kind, name, value, beganMs, endedMs: timeline.nowMs, answer })
    journal.note('client', `${kind} ${name}: ${answer}`)
    return told?.value.ok ? told.value.value : null
  }

  /**
   * The last deeds that must still show, by name: they were done, and nothing else that may have been done was under
   * way meanwhile or came later.
   */
  lasting(): Deed[] {
    return [...Map.groupBy(this.all, ({ name }) => name).values()].flatMap((all) => {
      const counted = all.filter(({ answer }) => answer !== 'refused')
      const last = counted.toSorted((one, other) => other.beganMs - one.beganMs)[0]
      if (last?.answer !== 'done') return []
      const isBefore = ({ answer, endedMs }: Deed) => answer === 'done' && endedMs < last.beganMs
      return counted.every((one) => one === last || isBefore(one)) ? [last] : []
    })
  }
}

function answerOf(told: Outcome<unknown> | null): Deed['answer'] {
  if (told?.ok) return 'done'
  return told === null || told.error.code === IN_DOUBT ? 'unknown' : 'refused'
}
