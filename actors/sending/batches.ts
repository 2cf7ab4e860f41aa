import type { MessageBatchId } from '../../src/domain/ids.ts'
import type { Pace } from '../../src/domain/kinds/kind.ts'
import type { BatchLook, QueuedBatch, QueuedMessage } from '../../src/ports/stores/send-queue.ts'
import { isFull, take, waitMs } from './pace.ts'
import type { Hand, SendingState } from './state.ts'

/**
 * How messages of batches share a number with single sends (our choice). A single send goes before every message of a
 * batch that could go too; it takes the place of one that only waits to write to the same person; and a quarter of the
 * requests to upstream stays free of batches. So a batch of any size makes a single send wait for one request at most.
 */

/** our choice: most messages of batches in hand. */
const BATCH_HANDS = 200
/** our choice: the share of requests to upstream, and of media in preparation, that batches leave to single sends. */
const FREE_SHARE = 0.25
/** our choice: with the paces of this many batches remembered, those that are full again are forgotten. */
const BATCHES = 200
/** our choice: a batch that was held up makes good for at most one second of its pace at once. */
const CATCH_UP_MS = 1_000

const MINUTE_MS = 60_000
const UNLIMITED: Pace = { atOnce: Infinity, everyMs: 0 }

/** The pace of a batch. A minute holds its messages and those of a second more at most. */
export function batchPace({ perMinute }: Pick<QueuedBatch, 'perMinute'>): Pace {
  if (perMinute === null) return UNLIMITED
  const everyMs = MINUTE_MS / perMinute
  return { atOnce: Math.max(1, CATCH_UP_MS / everyMs), everyMs }
}

/** The ms until the pace of its batch lets the message go. */
export function batchWaitMs({ batches }: SendingState, { batch }: QueuedMessage, nowMs: number): number {
  return batch === null ? 0 : waitMs(batchPace(batch), batches.get(batch.id), nowMs)
}

/** The paces of batches after the message went. */
export function takenOfBatch(state: SendingState, { batch }: QueuedMessage, nowMs: number): SendingState['batches'] {
  if (batch === null || batch.perMinute === null) return state.batches
  return new Map(state.batches).set(batch.id, take(batchPace(batch), state.batches.get(batch.id), nowMs))
}

/**
 * The paces of batches with that of a batch that was found. What its row tells of its last begin counts, when another
 * actor began it.
 */
export function withBatch(
  batches: SendingState['batches'],
  batch: QueuedBatch | null,
  nowMs: number,
): SendingState['batches'] {
  if (batch === null || batch.perMinute === null || batches.has(batch.id)) return batches
  const { everyMs } = batchPace(batch)
  const tokens = batch.begunMs === null ? 1 : Math.min(1, batch.begunMs / everyMs)
  return new Map(batches).set(batch.id, { tokens, atMs: nowMs })
}

/** The paces without those of batches that are not in hand, when there are too many. */
export function remembered(state: SendingState, nowMs: number): SendingState['batches'] {
  if (state.batches.size < BATCHES) return state.batches
  const held = heldOf(state)
  return new Map(
    [...state.batches].filter(([id, bucket]) => held[id] !== undefined || !isFull(FULL_AT_ONE, bucket, nowMs)),
  )
}

/** A pace that is full after a minute, which the slowest pace needs for one message. */
const FULL_AT_ONE: Pace = { atOnce: 1, everyMs: MINUTE_MS }

export function isOfBatch({ message }: Hand): boolean {
  return message.batch !== null
}

/**
 * Whether a single send to the same person may take its place: upstream was not asked for it, and nothing is in doubt.
 */
export function yields(hand: Hand): boolean {
  const { phase, doubts, verdict } = hand
  return isOfBatch(hand) && doubts === 0 && verdict === null && (phase.at === 'WAITING' || phase.at === 'PREPARING')
}

/** The hands in the order in which they may go: single sends first. */
export function inTurn({ hands }: SendingState): Hand[] {
  const all = [...hands.values()]
  const batched = all.filter(isOfBatch)
  return batched.length === 0 ? all : [...all.filter((hand) => !isOfBatch(hand)), ...batched]
}

/** How many of `limit` places a message may find taken and still go. */
export function placesFor({ batch }: QueuedMessage, limit: number): number {
  return batch === null ? limit : Math.max(1, Math.floor(limit * (1 - FREE_SHARE)))
}

function heldOf({ hands }: Pick<SendingState, 'hands'>): Record<MessageBatchId, number> {
  const held: Record<MessageBatchId, number> = {}
  for (const { message } of hands.values())
    if (message.batch) held[message.batch.id] = (held[message.batch.id] ?? 0) + 1
  return held
}

/** What a look at the queue asks for of batches. */
export function batchLook(state: Pick<SendingState, 'hands'>): BatchLook {
  const held = heldOf(state)
  const count = Object.values(held).reduce((sum, each) => sum + each, 0)
  return { limit: Math.max(0, BATCH_HANDS - count), except: [...state.hands.keys()], held }
}
