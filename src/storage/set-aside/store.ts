import type { TenantId } from '../../domain/ids.ts'
import type { Fault, SetAsideItem, SetAsideLine } from '../../domain/set-aside.ts'
import type { Fence } from '../../ports/leases.ts'
import type { DeliveryLog } from '../../domain/webhook.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import type { DeliveryJob } from '../../ports/stores/delivery-store.ts'
import type { RetryResult, SetAside, SetAsideStore } from '../../ports/stores/set-aside-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceCte } from '../engine/fence.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { SetAsideEntity } from './entity.ts'
import { LINES, type LeavingLine } from './lines.ts'

const KEEP = `insert into set_aside (line, item, tenant_id, number_id, account_id, sealed, reason, tries, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8::integer, $9::timestamptz)
  on conflict (line, item) do update set sealed = excluded.sealed, reason = excluded.reason, tries = excluded.tries, created_at = excluded.created_at`

/** Removes an item. A call that cannot be closed goes with its item, because it would be found live again. */
const DROP = `with gone as (delete from set_aside where id = $1::bigint returning line, item, number_id),
  left_call as (delete from calls c using gone where gone.line = 'live-calls' and c.id = gone.item and c.number_id = gone.number_id)
  select 1 as one from gone`

/** Our choice: longer reasons are cut; reasons are codes. */
const REASON_CHARACTERS = 64

/** Columns of items that are shown; their ids are selected beside them as texts. */
const ITEMS = rowsOf(SetAsideEntity).without('id', 'sealed')
const COLUMNS = `id::text as id, ${ITEMS.list()}`

type ItemRow = RowIn<typeof ITEMS> & { readonly id: string }

export function setAsideContext(line: SetAsideLine, item: string): string {
  return `set-aside:${line}:${item}`
}

/** Items that are set aside, as rows; what lines held of them is sealed. */
class SqlSetAsideStore implements SetAsideStore {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>) {
    this.#engine = engine
  }

  change(fence: Fence, position: number, why: Fault): Promise<WriteResult> {
    return this.#fenced(fence, async (session) =>
      (await this.#leave(session, 'changes', [fence.numberId, position], why)) ? 'applied' : 'conflict',
    )
  }

  deviceEvent(fence: Fence, item: string, held: string, why: Fault): Promise<WriteResult> {
    return this.#fenced(fence, async (session) => {
      const [owner] = await session.query<{ tenant_id: TenantId }>(
        'select tenant_id from channel_numbers where id = $1',
        [fence.numberId],
      )
      if (!owner) return 'conflict'
      await this.#keep(
        session,
        { ...why, line: 'device-events', item, tenantId: owner.tenant_id, numberId: fence.numberId, accountId: null },
        held,
      )
      return 'applied'
    })
  }

  async accountChange(position: number, why: Fault): Promise<void> {
    await this.#engine.database.transaction((session) => this.#leave(session, 'account-changes', [position], why))
  }

  async outboxHead(why: Fault): Promise<void> {
    await this.#engine.database.transaction((session) => this.#leave(session, 'outbox', [], why))
  }

  async errand(id: string, why: Fault): Promise<void> {
    await this.#engine.database.transaction((session) => this.#leave(session, 'errands', [id], why))
  }

  async leadNotice(
    { leadgenId, pageId }: { readonly leadgenId: string; readonly pageId: string },
    why: Fault,
  ): Promise<void> {
    await this.#engine.database.transaction((session) => this.#leave(session, 'lead-notices', [leadgenId, pageId], why))
  }

  note(item: SetAsideItem, held: string | null): Promise<void> {
    return this.#keep(this.#engine.database, item, held)
  }

  async counts(): Promise<ReadonlyMap<SetAsideLine, number>> {
    const rows = await this.#engine.database.query<{ line: SetAsideLine; count: number }>(
      'select line, count(*)::integer as count from set_aside group by line',
    )
    return new Map(rows.map(({ line, count }) => [line, count]))
  }

  async list(limit: number): Promise<SetAside[]> {
    const rows = await this.#engine.database.query<ItemRow>(
      `select ${COLUMNS} from set_aside order by set_aside.id limit $1::integer`,
      [limit],
    )
    return rows.map((row) => ({ ...ITEMS.read(row), id: row.id }))
  }

  async ids(line: SetAsideLine | null): Promise<string[]> {
    const rows = await this.#engine.database.query<{ id: string }>(
      'select id::text as id from set_aside where $1::text is null or line = $1 order by set_aside.id',
      [line],
    )
    return rows.map(({ id }) => id)
  }

  async retry(id: string): Promise<RetryResult> {
    const result = await this.#engine.database
      .transaction(async (session): Promise<RetryResult> => {
        const [row] = await session.query<ItemRow & { readonly sealed: string | null }>(
          `delete from set_aside where set_aside.id = $1::bigint returning ${COLUMNS}, sealed`,
          [id],
        )
        if (!row) return 'unknown'
        const line = LINES[row.line]
        if (line === null || row.sealed === null) throw new FinalItem()
        const held = this.#engine.cipher.open(row.sealed, setAsideContext(row.line, row.item))
        await line.putBack(session, { ...ITEMS.read(row), id, held: JSON.parse(held) as never, now: this.#now() })
        return 'retried'
      })
      .catch((error: unknown) => {
        if (error instanceof FinalItem) return 'final' as const
        throw error
      })
    if (result === 'retried') this.#engine.onEvents()
    return result
  }

  async delivery(id: string): Promise<DeliveryJob | null> {
    const [row] = await this.#engine.database.query<{ item: string; sealed: string | null }>(
      "select item, sealed from set_aside where id = $1::bigint and line = 'deliveries'",
      [id],
    )
    if (!row || row.sealed === null) return null
    const held = JSON.parse(this.#engine.cipher.open(row.sealed, setAsideContext('deliveries', row.item))) as
      | DeliveryJob
      | DeliveryLog
    return 'status' in held ? null : held
  }

  async drop(id: string): Promise<boolean> {
    return (await this.#engine.database.query(DROP, [id])).length > 0
  }

  async purge(): Promise<number> {
    // Events of a removed number, its removal among them, are still told.
    const rows = await this.#engine.database.query(
      `delete from set_aside s where s.number_id is not null and s.line not in ('outbox', 'deliveries') and not exists (select 1 from channel_numbers n where n.id = s.number_id) returning 1 as one`,
    )
    return rows.length
  }

  /** Takes an item out of its line; false when it is no longer there. */
  async #leave(
    session: SqlSession,
    name: Exclude<SetAsideLine, 'device-events' | 'deliveries' | 'sends' | 'live-calls'>,
    keys: readonly (string | number)[],
    why: Fault,
  ): Promise<boolean> {
    const line: LeavingLine = LINES[name]
    const left = await line.take(session, keys)
    if (left === null) return false
    const { item, tenantId, numberId, accountId, held } = left
    await this.#keep(session, { ...why, line: name, item, tenantId, numberId, accountId }, JSON.stringify(held))
    return true
  }

  async #keep(
    session: SqlSession,
    { line, item, tenantId, numberId, accountId, reason, tries }: SetAsideItem,
    held: string | null,
  ): Promise<void> {
    const sealed = held === null ? null : this.#engine.cipher.seal(held, setAsideContext(line, item))
    await session.query(KEEP, [
      line,
      item,
      tenantId,
      numberId,
      accountId,
      sealed,
      reason.slice(0, REASON_CHARACTERS),
      tries,
      this.#now(),
    ])
  }

  #fenced(fence: Fence, work: (session: SqlSession) => Promise<WriteResult>): Promise<WriteResult> {
    return this.#engine.database.transaction(async (session) => {
      const owned = await session.query(`with ${fenceCte('$1', '$2')} select 1 from fence`, [
        fence.numberId,
        fence.token,
      ])
      return owned.length === 0 ? 'fenced' : work(session)
    })
  }

  #now(): string {
    return new Date(this.#engine.clock.now()).toISOString()
  }
}

/** Thrown to roll the deletion back. */
class FinalItem extends Error {}

/** What is set aside, over an open database. */
export function openSetAside(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>): {
  readonly setAside: SetAsideStore
} {
  return { setAside: new SqlSetAsideStore(engine) }
}
