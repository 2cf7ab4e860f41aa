import type { StoredEvent } from '../../src/domain/events.ts'
import type { EventId } from '../../src/domain/ids.ts'
import type { WebhookId } from '../../src/domain/webhook.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { DeliveryJob, FetchedDelivery } from '../../src/ports/stores/delivery-store.ts'
import type { MemoryRows } from '../helpers/memory/rows.ts'

interface Row {
  readonly job: DeliveryJob
  readonly dueMs: number
  /** The node that has fetched the job; null when none has. */
  held: { readonly jobId: string; readonly node: string } | null
}

/** Outbox and queue in memory, which the nodes of a test share. */
export class MemoryQueue {
  readonly events = new Map<EventId, StoredEvent>()
  readonly outbox: StoredEvent[] = []
  /** Jobs that have not ended, in the order of the queue. */
  readonly #rows = new Set<Row>()
  readonly #held = new Map<string, Row>()
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #lastId = 0

  /** `clock` decides when jobs are due. */
  constructor(rows: MemoryRows, clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
    rows.telling.push((event) => {
      this.events.set(event.id, event)
      this.outbox.push(event)
    })
  }

  /** Jobs that have not ended. A job that a node has fetched is active. */
  get open(): { readonly job: DeliveryJob; readonly isActive: boolean }[] {
    return [...this.#rows].map(({ job, held }) => ({ job, isActive: held !== null }))
  }

  insert(job: DeliveryJob, delayMs: number): void {
    this.#rows.add({ job, dueMs: this.#clock.monotonicMs() + delayMs, held: null })
  }

  fetch(node: string, limit: number, except: readonly WebhookId[]): FetchedDelivery[] {
    const nowMs = this.#clock.monotonicMs()
    return [...this.#rows]
      .filter(({ job, dueMs, held }) => held === null && dueMs <= nowMs && !except.includes(job.webhookId))
      .slice(0, limit)
      .map((row) => this.#hold(node, row))
  }

  /** Gives a node a job that nobody else ever saw waiting. */
  begin(node: string, job: DeliveryJob): FetchedDelivery {
    const row: Row = { job, dueMs: this.#clock.monotonicMs(), held: null }
    this.#rows.add(row)
    return this.#hold(node, row)
  }

  #hold(node: string, row: Row): FetchedDelivery {
    const jobId = `job${++this.#lastId}`
    row.held = { jobId, node }
    this.#held.set(jobId, row)
    return { jobId, ...row.job }
  }

  /** Whether an event waits to be tried now, or is being tried. */
  isUnderWay(webhookId: WebhookId, eventId: EventId): boolean {
    const nowMs = this.#clock.monotonicMs()
    return [...this.#rows].some(
      ({ job, dueMs, held }) =>
        job.webhookId === webhookId && job.eventId === eventId && (held !== null || dueMs <= nowMs),
    )
  }

  /** Ends a job; false when the node that fetched it under this id has lost it. */
  end(jobId: string): boolean {
    const row = this.#held.get(jobId)
    return row !== undefined && this.#held.delete(jobId) && this.#rows.delete(row)
  }

  putBack(jobId: string): void {
    const row = this.#held.get(jobId)
    if (row) row.held = null
    this.#held.delete(jobId)
  }

  /** Gives back the jobs of one node, or of all nodes when null. Returns how many they were. */
  giveBack(node: string | null): number {
    const held = [...this.#held].filter(([, row]) => node === null || row.held?.node === node)
    for (const [jobId] of held) this.putBack(jobId)
    return held.length
  }

  clear(): void {
    this.outbox.length = 0
    this.#rows.clear()
    this.#held.clear()
  }
}
