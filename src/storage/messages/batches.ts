import type { NumberId } from '../../domain/ids.ts'
import type { MessageStatus } from '../../domain/message.ts'
import type { AcceptBatchOutcome, BatchCounts, MessageBatches, NewBatch } from '../../ports/stores/message-batches.ts'
import type { ClaimedAnswer } from '../../ports/stores/message-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { findClaim } from '../idempotency/store.ts'
import { MessageBatchEntity } from './batch-entity.ts'
import { ACCEPT_BATCH, acceptedParameters, claimFields, rowOf } from './lanes.ts'
import { YoungTable } from './young-table.ts'

const BATCH = rowsOf(MessageBatchEntity).only('id', 'perMinute', 'accepted', 'createdAt')

type CountedRow = RowIn<typeof BATCH> & { readonly counts: string }

/** Counts along the index of the batch: a batch has a thousand messages at most. */
const COUNT = `select ${BATCH.list('b')}, coalesce((select json_object_agg(status, count) from (
    select m.status, count(*) from messages m where m.batch_id = b.id and m.batch_id <> '' and m.number_id = b.number_id group by m.status) k), '{}')::text as counts
  from message_batches b where b.number_id = $1 and b.id = $2`

/**
 * Cancels what waits of batch `$2` and is not with upstream, nor in doubt. A send that is begun meanwhile holds its
 * row: it is either begun before and stays, or finds itself canceled.
 */
const CANCEL = `with batch as (
    select id from message_batches where number_id = $1 and id = $2
  ), locked as (
    select m.id from messages m where m.number_id = $1 and m.batch_id = (select id from batch) and m.due_at is not null and m.attempted_at is null order by m.id for update
  ), canceled as (
    update messages m set status = 'CANCELED', outgoing = null, due_at = null, not_before = null,
      to_address = case when n.pii_mode <> 'RELAY_ONLY' then m.to_address end
    from locked, channel_numbers n
    where m.id = locked.id and m.number_id = $1 and n.id = m.number_id and m.due_at is not null and m.attempted_at is null
    returning m.id
  )
  select (select count(*)::integer from canceled) as count from batch`

interface Acceptance {
  readonly batch: NewBatch
  readonly claim: ClaimedAnswer | null
}

interface AcceptedRow {
  readonly has_number: boolean
  readonly is_stored: boolean
  readonly stale: string
}

/** Batches of messages as rows. */
export class SqlMessageBatches implements MessageBatches {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #young: YoungTable
  /**
   * Our choice: a node stores one batch at a time. One takes some 100 ms, and single sends have statements of their
   * own.
   */
  #accepts: Gathered<Acceptance, AcceptBatchOutcome>

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#young = new YoungTable(database)
    this.#accepts = new Gathered({
      run: (items) => Promise.all(items.map((item) => this.#accept(item))),
      weightOf: () => 1,
      maxWeight: 1,
    })
  }

  accept(batch: NewBatch, claim: ClaimedAnswer | null): Promise<AcceptBatchOutcome> {
    return this.#accepts.add({ batch, claim })
  }

  async #accept({ batch, claim }: Acceptance): Promise<AcceptBatchOutcome> {
    const { messages, ...given } = batch
    const opened = {
      id: given.id,
      tenant_id: given.tenantId,
      number_id: given.numberId,
      per_minute: given.perMinute,
      created_at: given.createdAt,
      ...(claim && claimFields(this.#cipher, claim)),
    }
    const sends = messages.map((message) => rowOf(this.#cipher, message, null))
    for (;;) {
      const parameters = [...acceptedParameters(sends, this.#clock.now()), JSON.stringify(opened)]
      const outcome = await despiteDeadlock(() => this.#database.queryKept<AcceptedRow>(ACCEPT_BATCH, parameters)).then(
        outcomeOf,
        (error: unknown) => {
          if (isOwnerGone(error)) return { kind: 'gone' } as const
          throw error
        },
      )
      if (outcome?.kind === 'accepted') this.#young.count(messages.length)
      if (outcome) return outcome
      const found = claim && (await findClaim(this.#database, this.#cipher, claim.request))
      // A claim that was purged between the two statements is made anew.
      if (found) return found
    }
  }

  async find(numberId: NumberId, id: string): Promise<BatchCounts | null> {
    const [row] = await this.#database.query<CountedRow>(COUNT, [numberId, id])
    return row ? { ...BATCH.read(row), counts: JSON.parse(row.counts) as Partial<Record<MessageStatus, number>> } : null
  }

  async cancel(numberId: NumberId, id: string): Promise<number | null> {
    const [row] = await despiteDeadlock(() => this.#database.query<{ count: number }>(CANCEL, [numberId, id]))
    return row?.count ?? null
  }
}

/** Null when the key was claimed before. */
function outcomeOf([row]: readonly AcceptedRow[]): AcceptBatchOutcome | null {
  if (!row?.has_number) return { kind: 'gone' }
  if (row.is_stored) return { kind: 'accepted' }
  const places = JSON.parse(row.stale) as number[]
  return places.length > 0 ? { kind: 'stale', places } : null
}
