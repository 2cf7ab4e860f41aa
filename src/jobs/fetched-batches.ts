import { newId, type NodeId } from '../domain/ids.ts'
import type { FetchedDelivery } from '../ports/stores/delivery-store.ts'
import type { SqlSession } from '../storage/engine/database.ts'

/**
 * The jobs that this node has fetched and not settled, one row for each fetch, so that a node that was killed finds
 * them again. A row goes when the last of its jobs is settled. A job in a row that stays behind is safe: its claim
 * fails once another node has fetched the job.
 */
export class FetchedBatches {
  #nodeId: NodeId
  #batchOf = new Map<string, { readonly id: string; open: number }>()

  constructor(nodeId: NodeId) {
    this.#nodeId = nodeId
  }

  async add(session: SqlSession, deliveries: readonly FetchedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const batch = { id: newId('log'), open: deliveries.length }
    const jobs = deliveries.map(({ jobId }) => jobId)
    await session.query('insert into delivery_batches (id, node_id, jobs) values ($1, $2, $3)', [
      batch.id,
      this.#nodeId,
      JSON.stringify(jobs),
    ])
    for (const jobId of jobs) this.#batchOf.set(jobId, batch)
  }

  /** Deletes the rows whose last jobs these were. The caller calls `forget` once that is committed. */
  async remove(session: SqlSession, jobIds: readonly string[]): Promise<void> {
    const settled = Map.groupBy(
      jobIds.filter((jobId) => this.#batchOf.has(jobId)),
      (jobId) => this.#batchOf.get(jobId),
    )
    const done = [...settled].flatMap(([batch, ids]) =>
      batch !== undefined && ids.length >= batch.open ? [batch.id] : [],
    )
    if (done.length > 0) await session.query('delete from delivery_batches where id = any($1::text[])', [done])
  }

  forget(jobIds: readonly string[]): void {
    for (const jobId of jobIds) {
      const batch = this.#batchOf.get(jobId)
      if (batch) batch.open -= 1
      this.#batchOf.delete(jobId)
    }
  }

  /** Deletes all rows that this node wrote before its start, and answers their jobs. */
  async takeOld(session: SqlSession): Promise<string[]> {
    const rows = await session.query<{ jobs: string }>(
      'delete from delivery_batches where node_id = $1 returning jobs',
      [this.#nodeId],
    )
    return rows.flatMap(({ jobs }) => JSON.parse(jobs) as string[])
  }
}
