import { batchAhead, type BatchLook, type QueuedHead } from '../../../src/ports/stores/send-queue.ts'
import { readyAt, type QueuedRow } from './queued-rows.ts'

/** What batches may send of what waits, those that were begun longest ago first. */
export function batchHeads(
  waiting: readonly QueuedRow[],
  { limit, except, held }: BatchLook,
  begunAt: ReadonlyMap<string, number>,
  nowMs: number,
): QueuedHead[] {
  const heads = new Map<string, QueuedRow>()
  for (const row of waiting) {
    const { batch, conversationId } = row.message
    const lane = `${batch?.id} ${conversationId}`
    if (batch !== null && !heads.has(lane)) heads.set(lane, row)
  }
  const left: Record<string, number> = { ...held }
  return [...heads.values()]
    .filter((row) => readyAt(row) <= nowMs && !except.includes(row.message.conversationId))
    .flatMap(({ message }) => {
      const { batch } = message
      if (batch === null) return []
      const begunMs = begunAt.get(batch.id) ?? null
      return [{ ...message, batch: { ...batch, begunMs: begunMs === null ? null : nowMs - begunMs } }]
    })
    .filter(({ batch: { id, perMinute } }) => (left[id] = (left[id] ?? 0) + 1) <= batchAhead(perMinute))
    .toSorted((a, b) => (b.batch.begunMs ?? Infinity) - (a.batch.begunMs ?? Infinity) || 0)
    .slice(0, limit)
}
