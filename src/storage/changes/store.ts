import type { NewEvent } from '../../domain/events.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { Fence } from '../../ports/leases.ts'
import type { OfficialChange } from '../../ports/official/changes.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import type { AcceptedChanges, InboundStore, InboundTarget, PendingChange } from '../../ports/stores/inbound-store.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceCte, fencedAnswer, toWriteResult, type FencedRow } from '../engine/fence.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { purgePast, vacuumEmbedded, type Purged } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { Parameters } from '../engine/statement.ts'
import { findTargets } from '../official/credentials.ts'
import { InboundChangeEntity } from './entity.ts'
import { ChangeLanes } from './lanes.ts'

/** Of a change that waits: what is worked off has no value any more. */
const PENDING = rowsOf(InboundChangeEntity).only('position', 'field', 'value', 'receivedAt').filled<'value'>()
type PendingRow = RowIn<typeof PENDING>

/** Our choice: as long as events and logs are kept (contract 5), and far beyond the 7 days for which upstream repeats. */
const KEEP_MS = 30 * 86_400_000

/** Upstream's changes as rows. */
class SqlInboundStore implements InboundStore, Purged {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #lanes: ChangeLanes

  constructor({ database, cipher, clock, onEvents }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
    this.#lanes = new ChangeLanes({ database, clock, onEvents })
  }

  async findTarget(numberOrAccountId: string): Promise<InboundTarget | null> {
    const targets = await findTargets(this.#database, this.#cipher, numberOrAccountId)
    return targets.find(({ appSecret }) => appSecret !== null) ?? targets[0] ?? null
  }

  async accept(target: InboundTarget, changes: readonly OfficialChange[]): Promise<AcceptedChanges> {
    return this.#lanes.add({ target, changes })
  }

  async pending(numberId: NumberId, afterPosition: number, limit: number): Promise<PendingChange[]> {
    const rows = await this.#database.query<PendingRow>(
      `select ${PENDING.list('c')} from inbound_changes c
       where c.number_id = $1 and c.is_pending and c.position > $2::bigint order by c.position limit $3`, [numberId, afterPosition, limit])
    return rows.map(PENDING.read)
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

  /** A change that still waits is never forgotten. */
  async purge(): Promise<number> {
    const count = await purgePast(this.#database, InboundChangeEntity, ['receivedAt'], this.#clock.now() - KEEP_MS, 'not is_pending')
    await vacuumEmbedded(this.#database, ['inbound_changes', 'account_changes'])
    return count
  }
}

/** Upstream changes over an open database. */
export function openChanges(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>): { readonly inbound: InboundStore & Purged } {
  return { inbound: new SqlInboundStore(engine) }
}
