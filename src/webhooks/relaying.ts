import type { StoredEvent } from '../domain/events.ts'
import { ASIDE_TRIES, failureCode, isOwnFault } from '../domain/set-aside.ts'
import type { Log } from '../ports/log.ts'
import type { DeliveryJob, DeliveryStore, Relayed, Subscriber } from '../ports/stores/delivery-store.ts'
import type { SetAsideStore } from '../ports/stores/set-aside-store.ts'
import { match } from './match.ts'

/** Our choice: outbox rows that one relay transaction takes. */
const RELAY_ROWS = 500

export interface RelayingDeps {
  readonly deliveries: Pick<DeliveryStore, 'relay'>
  readonly setAside: Pick<SetAsideStore, 'outboxHead'>
  readonly log: Log
  /** Chooses what this node tries at once. */
  readonly choose: (jobs: readonly DeliveryJob[]) => ReadonlySet<DeliveryJob>
  /** Called with the events that were handed over. */
  readonly counted: (events: readonly StoredEvent[]) => void
}

/**
 * Hands events over for delivery, in batches. A batch that fails for a reason of its own is halved, down to the one
 * event at fault, which is set aside.
 */
export class Relaying {
  readonly #deps: RelayingDeps
  #rows = RELAY_ROWS
  /** Failed tries of the event that is tried alone. */
  #tries = 0

  constructor(deps: RelayingDeps) {
    this.#deps = deps
  }

  /** Takes a batch. `hasMore` says that another one is wanted at once. Throws while the store is away. */
  async turn(): Promise<Pick<Relayed, 'queued' | 'begun'> & { readonly hasMore: boolean }> {
    const { deliveries, choose, counted } = this.#deps
    const rows = this.#rows
    try {
      const events: StoredEvent[] = []
      const matched = (event: StoredEvent, subscribers: readonly Subscriber[]) => {
        events.push(event)
        return match(event, subscribers)
      }
      const { taken, queued, begun } = await deliveries.relay(rows, matched, choose)
      counted(events)
      this.#tries = 0
      this.#rows = Math.min(RELAY_ROWS, rows * 2)
      return { hasMore: taken >= rows, queued, begun }
    } catch (error) {
      if (!isOwnFault(error)) throw error
      await this.#failed(rows, error)
      return { hasMore: true, queued: 0, begun: [] }
    }
  }

  /** Throws the error when the batch is to be tried again after a pause. */
  async #failed(rows: number, error: unknown): Promise<void> {
    const { setAside, log } = this.#deps
    this.#rows = Math.max(1, Math.floor(rows / 2))
    if (rows > 1) return
    this.#tries += 1
    if (this.#tries < ASIDE_TRIES) throw error
    const reason = failureCode(error)
    log.error({ reason }, 'an event could not be handed to the queue and is set aside')
    await setAside.outboxHead({ reason, tries: this.#tries })
    this.#tries = 0
  }
}
