import type { NewEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Fence } from '../../ports/leases.ts'
import type { OfficialChange } from '../../ports/official-platform.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import type { InboundStore, InboundTarget, PendingChange } from '../../ports/stores/inbound-store.ts'
import type { Database } from '../database.ts'
import { fenceCte, fencedAnswer, toWriteResult, type FencedRow } from '../fence.ts'
import { Gathered } from '../gathered.ts'
import { ACCEPT, acceptParameters, FIND_TARGETS, PURGE, toTarget, type AcceptedRow, type InboundPost, type TargetRow } from '../inbound-sql.ts'
import { eventCtes, toOutboxParameter } from '../outbox.ts'
import { toDate } from '../rows.ts'
import { Parameters } from '../statement.ts'

type Accepted = Awaited<ReturnType<InboundStore['accept']>>

/**
 * Our choice: statements that store posts side by side on a node. A tenant's go one after another: two that share
 * changes in different orders would wait for each other.
 */
const LANES = 4
/** Our choice: changes one statement takes; upstream's posts have 1,000 at most. */
const LANE_CHANGES = 1_000
/** Our choice: rows a purge deletes at a time, so that none holds the embedded database for long. */
const PURGE_ROWS = 5_000
/** SQLSTATE: two nodes stored the same changes in different orders. */
const DEADLOCK = '40P01'

/** Upstream's changes as rows. What arrives while a statement runs shares the next: under load, many posts one commit. */
export class SqlInboundStore implements InboundStore {
  #database: Database
  #cipher: Cipher
  #clock: Clock
  #onEvents: () => void
  #lanes: readonly Gathered<InboundPost, Accepted>[]

  /** `onEvents` is called after each commit that stored events. */
  constructor(database: Database, cipher: Cipher, clock: Clock, onEvents: () => void) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
    this.#lanes = Array.from({ length: LANES }, () => new Gathered<InboundPost, Accepted>({
      run: (posts) => this.#store(posts), weightOf: ({ changes }) => changes.length, maxWeight: LANE_CHANGES,
    }))
  }

  async findTarget(numberOrAccountId: string): Promise<InboundTarget | null> {
    const rows = await this.#database.query<TargetRow>(FIND_TARGETS, [numberOrAccountId])
    const targets = rows.flatMap((row) => toTarget(this.#cipher, row))
    return targets.find(({ appSecret }) => appSecret !== null) ?? targets[0] ?? null
  }

  async accept(target: InboundTarget, changes: readonly OfficialChange[]): Promise<Accepted> {
    if (changes.length === 0) return { stored: 0, numbers: [] }
    const lane = this.#lanes[laneOf(target.tenantId)]
    if (!lane) throw new Error('there is no such lane')
    return lane.add({ target, changes })
  }

  async #store(posts: readonly InboundPost[]): Promise<Accepted[]> {
    const parameters = acceptParameters(posts, new Date(this.#clock.now()).toISOString())
    const rows = await this.#database.query<AcceptedRow>(ACCEPT, parameters).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === DEADLOCK) return this.#database.query<AcceptedRow>(ACCEPT, parameters)
      throw error
    })
    if (rows.some((row) => row.is_told)) this.#onEvents()
    const byPost = Map.groupBy(rows, (row) => Number(row.post))
    return posts.map((_, index) => toAccepted(byPost.get(index) ?? []))
  }

  async pending(numberId: NumberId, afterPosition: number, limit: number): Promise<PendingChange[]> {
    const rows = await this.#database.query<{ place: string, field: string, value: string, received_at: string }>(
      `select c.position::text as place, c.field, c.value, c.received_at from inbound_changes c
       where c.number_id = $1 and c.is_pending and c.position > $2::bigint order by c.position limit $3`, [numberId, afterPosition, limit])
    return rows.map((row) => ({ position: Number(row.place), field: row.field, value: row.value, receivedAt: toDate(row.received_at) }))
  }

  async settle(fence: Fence, position: number, events: readonly NewEvent[]): Promise<WriteResult> {
    const p = new Parameters()
    const numberId = p.add(fence.numberId)
    const token = p.add(fence.token)
    // Of a change that is worked off only the key is needed; what it said is in its native event.
    const written = `written as (
      update inbound_changes set is_pending = false, value = null
      where number_id = ${numberId} and position = ${p.add(position)}::bigint and is_pending and exists (select 1 from fence)
      returning tenant_id, number_id)`
    const told = events.length === 0 ? '' : `, ${eventCtes('written', p.add(toOutboxParameter(events)), p.time(this.#clock.now()))}`
    const rows = await this.#database.query<FencedRow>(`with ${fenceCte(numberId, token)}, ${written}${told} ${fencedAnswer('written')}`, p.values)
    const result = toWriteResult(rows[0])
    if (result === 'applied' && events.length > 0) this.#onEvents()
    return result
  }

  async listPending(limit: number): Promise<NumberId[]> {
    const rows = await this.#database.query<{ number_id: NumberId }>(
      `select number_id from inbound_changes c where is_pending and exists (select 1 from channel_numbers n where n.id = c.number_id)
       group by number_id order by min(position) limit $1`, [limit])
    return rows.map((row) => row.number_id)
  }

  async purge(): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString()
    for (;;) {
      const rows = await this.#database.query(PURGE, [now, PURGE_ROWS])
      if (rows.length < PURGE_ROWS) break
    }
    // The embedded database has no autovacuum.
    if (this.#database.kind === 'pglite') await this.#database.query('vacuum (analyze) inbound_changes')
  }
}

function toAccepted(rows: readonly AcceptedRow[]): Accepted {
  return {
    stored: rows.reduce((sum, row) => sum + row.stored, 0),
    numbers: rows.flatMap((row) => row.is_pending && row.number_id !== null ? [row.number_id] : []),
  }
}

/** The same lane for a tenant's posts, always. */
function laneOf(tenantId: TenantId): number {
  let hash = 0
  for (let i = 0; i < tenantId.length; i++) hash = (hash * 31 + tenantId.charCodeAt(i)) >>> 0
  return hash % LANES
}
