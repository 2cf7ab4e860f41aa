import {
  newId,
  newSecretId,
  type ConversationId,
  type MessageId,
  type NumberId,
  type TenantId,
} from '../../domain/ids.ts'
import type { MessageFailure } from '../../domain/message.ts'
import type { Fence } from '../../ports/leases.ts'
import {
  NO_BATCHES,
  type BatchLook,
  type QueuedHead,
  type SendQueue,
  type SendSettlement,
  type SettleResult,
} from '../../ports/stores/send-queue.ts'
import { despiteDeadlock, writeMessages } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceFields, runFenced } from '../engine/fence.ts'
import { Gathered } from '../engine/gathered.ts'
import { joinNamed } from '../flow-responses/sql.ts'
import {
  AHEAD,
  BEGIN,
  EXPIRE,
  HEADS_AHEAD,
  HEADS_APART,
  HEADS_BATCHED,
  LET_GO,
  LIST_DUE,
  NEXT_DUE,
  SETTLE,
  STEPS,
  toBatched,
  toHeads,
  toQueued,
  WAITING,
  type AheadRow,
  type BatchedRow,
  type BegunItem,
  type FoundHead,
  type HeadRow,
  type SettledItem,
} from './queue-sql.ts'
import { toDate, toRecordset } from '../engine/rows.ts'
import { idFields, idsOf } from '../message-keys/ids.ts'
import { failureFields } from './moves.ts'

/** Our choice: most writes of one statement. */
const BATCH = 250
/** Our choice: most heads that one statement looks for, over all its numbers. */
const LOOKS_HEADS = 1_000

interface Begin {
  readonly fence: Fence
  readonly messageId: MessageId
}

interface Settle {
  readonly fence: Fence
  readonly settlement: SendSettlement
}

interface Look {
  readonly numberId: NumberId
  readonly except: readonly ConversationId[]
  readonly limit: number
  readonly wantsBatches: boolean
}

type BeginResult = SettleResult | 'late'

const LATE: MessageFailure = {
  code: 'EXPIRED_AFTER_ATTEMPTS',
  message: 'The message could not be sent before its deliverUntil',
  details: null,
  upstreamCode: null,
}

/** Queued messages as rows; what a node writes for all its numbers shares statements. */
export class SqlSendQueue implements SendQueue {
  #database: Engine['database']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #looks: Gathered<Look, AheadRow[]>
  #begins: Gathered<Begin, BeginResult>
  #settles: Gathered<Settle, SettleResult>

  constructor({ database, clock, onEvents }: Pick<Engine, 'database' | 'clock' | 'onEvents'>) {
    this.#database = database
    this.#clock = clock
    this.#onEvents = onEvents
    this.#looks = new Gathered({
      run: (looks) => this.#lookAhead(looks),
      weightOf: ({ limit }) => limit,
      maxWeight: LOOKS_HEADS,
    })
    this.#begins = new Gathered({ run: (items) => this.#runBegins(items), weightOf: () => 1, maxWeight: BATCH })
    this.#settles = new Gathered({ run: (items) => this.#runSettles(items), weightOf: () => 1, maxWeight: BATCH })
  }

  /**
   * Answers heads in the order they are due. When the first due messages belong to too few conversations, others are
   * looked for from a random one on, so that one long queue is neither read whole nor holds the rest off. Those come in
   * no strict order between conversations.
   */
  async heads(
    numberId: NumberId,
    except: readonly ConversationId[],
    limit: number,
    batches: BatchLook = NO_BATCHES,
  ): Promise<QueuedHead[]> {
    const ahead = await this.#looks.add({ numberId, except, limit, wantsBatches: batches.limit > 0 })
    const found = ahead.flatMap(toHeads).toSorted(byTurn)
    const isEnough = found.length >= limit || (ahead[0]?.seen ?? 0) < AHEAD
    const heads = isEnough ? found : await this.#headsApart({ numberId, except, limit }, found)
    const batched = ahead[0]?.has_batches ? await this.#headsBatched(numberId, batches) : []
    return [...heads, ...batched].map(toQueued)
  }

  async #headsBatched(numberId: NumberId, { limit, except, held }: BatchLook): Promise<FoundHead[]> {
    const parameters = [numberId, this.#now(), except, limit, JSON.stringify(held)]
    const rows = await this.#database.query<BatchedRow>(HEADS_BATCHED, parameters)
    return rows.map((row) => toBatched(row, this.#clock.now())).toSorted(byTurn)
  }

  /** Adds heads of conversations that are looked for apart. */
  async #headsApart(
    { numberId, except, limit }: Omit<Look, 'wantsBatches'>,
    found: readonly FoundHead[],
  ): Promise<FoundHead[]> {
    const parameters = [numberId, this.#now(), except, limit]
    const heads = new Map(found.map((head) => [head.id, head]))
    const start = newSecretId('conv')
    const after = await this.#database.query<HeadRow>(HEADS_APART, [...parameters, start])
    const before =
      (after[0]?.seen ?? 0) < STEPS ? await this.#database.query<HeadRow>(HEADS_APART, [...parameters, '']) : []
    for (const row of [...after, ...before]) for (const head of toHeads(row)) heads.set(head.id, head)
    return [...heads.values()].toSorted(byTurn).slice(0, limit)
  }

  async begin(fence: Fence, messageId: MessageId): Promise<SettleResult> {
    const result = await this.#begins.add({ fence, messageId })
    if (result !== 'late') return result
    // Ended here, because it would otherwise stay the head of its conversation until the expiry found it.
    const ended = await this.settle(fence, { messageId, kind: 'failed', failure: LATE })
    return ended === 'fenced' ? 'fenced' : 'moved'
  }

  settle(fence: Fence, settlement: SendSettlement): Promise<SettleResult> {
    return this.#settles.add({ fence, settlement })
  }

  async nextDueAt(numberId: NumberId, agoMs = 0): Promise<Date | null> {
    const sinceAt = new Date(this.#clock.now() - agoMs).toISOString()
    const rows = await this.#database.query<{ at: string | null }>(NEXT_DUE, [numberId, sinceAt])
    const at = rows[0]?.at ?? null
    return at === null ? null : toDate(at)
  }

  async letGo(tenantId: TenantId, accountId: string): Promise<NumberId[]> {
    const rows = await despiteDeadlock(() =>
      this.#database.query<{ number_id: NumberId }>(LET_GO, [tenantId, accountId]),
    )
    return [...new Set(rows.map((row) => row.number_id))]
  }

  async listDue(limit: number): Promise<NumberId[]> {
    const rows = await this.#database.query<{ number_id: NumberId }>(LIST_DUE, [this.#now(), limit])
    return rows.map((row) => row.number_id)
  }

  async waiting(): Promise<{ readonly count: number; readonly since: Date | null }> {
    const [row] = await this.#database.query<{ count: number; since: string | null }>(WAITING, [this.#now()])
    return { count: row?.count ?? 0, since: row?.since ? toDate(row.since) : null }
  }

  async expire(limit: number, doubtMs: number): Promise<number> {
    const now = this.#now()
    const parameters = [now, new Date(this.#clock.now() - doubtMs).toISOString(), limit, now, newId('evt')]
    const rows = await despiteDeadlock(() => this.#database.query<{ count: number }>(EXPIRE, parameters))
    const count = rows[0]?.count ?? 0
    if (count > 0) this.#onEvents()
    return count
  }

  /** Answers the rows of each look. */
  async #lookAhead(looks: readonly Look[]): Promise<AheadRow[][]> {
    const asked = looks.map(({ numberId, except, limit, wantsBatches }, place) => ({
      place,
      number_id: numberId,
      passed: except,
      page: limit,
      wants_batches: wantsBatches,
    }))
    const rows = await this.#database.queryKept<AheadRow & { readonly place: number }>(HEADS_AHEAD, [
      toRecordset(asked),
      this.#now(),
    ])
    const found = looks.map((): AheadRow[] => [])
    for (const row of rows) found[row.place]?.push(row)
    return found
  }

  #runBegins(items: readonly Begin[]): Promise<BeginResult[]> {
    return runFenced<Begin, BegunItem, BeginResult>(
      items,
      (some, isAlone) => {
        const rows = some.map(({ fence, messageId }, place) => ({
          place,
          ...fenceFields(fence),
          message_id: messageId,
        }))
        return writeMessages(() =>
          this.#database.queryKept<BegunItem>(BEGIN(isAlone), [toRecordset(rows), this.#now()]),
        )
      },
      (row) => (row.is_applied ? 'applied' : row.is_late ? 'late' : 'moved'),
    )
  }

  async #runSettles(items: readonly Settle[]): Promise<SettleResult[]> {
    const results = await runFenced<Settle, SettledItem, SettleResult>(
      items,
      async (some, isAlone) => {
        const now = this.#now()
        const given = toRecordset(some.map((item, place) => this.#toRow(item, place)))
        const rows = await writeMessages(() =>
          this.#database.queryKept<SettledItem>(SETTLE(isAlone), [given, now, now]),
        )
        await joinNamed(
          this.#database,
          rows.flatMap((row) => (row.is_flow_named ? externalIdOf(some[row.place]?.settlement) : [])),
        )
        return rows
      },
      (row) => (row.is_applied ? 'applied' : 'moved'),
    )
    if (results.some((result, index) => result === 'applied' && isEnd(items[index]?.settlement))) this.#onEvents()
    return results
  }

  #toRow({ fence, settlement }: Settle, place: number) {
    const { messageId, kind } = settlement
    const row = { place, ...fenceFields(fence), message_id: messageId, kind, event_id: newId('evt') }
    switch (settlement.kind) {
      case 'sent':
        return { ...row, ...idFields(settlement.externalMessageId) }
      case 'failed':
        return { ...row, ...failureFields(settlement.failure) }
      case 'again':
      case 'held':
        return { ...row, not_before: new Date(this.#clock.now() + settlement.afterMs) }
    }
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

function externalIdOf(settlement: SendSettlement | undefined): string[] {
  return settlement?.kind === 'sent' ? idsOf([settlement.externalMessageId]) : []
}

function isEnd(settlement: SendSettlement | undefined): boolean {
  return settlement?.kind === 'sent' || settlement?.kind === 'failed'
}

function byTurn(a: FoundHead, b: FoundHead): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || a.position - b.position
}
