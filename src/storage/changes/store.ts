import type { NewEvent } from '../../domain/events.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Fence } from '../../ports/leases.ts'
import type { AccountChangeStore, AccountLane } from '../../ports/stores/account-change-store.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import type { InboundStore, InboundTarget, PendingChange } from '../../ports/stores/inbound-store.ts'
import { keptStatement, type SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceCte, fencedAnswer, toWriteResult, type FencedRow } from '../engine/fence.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { purgePast, vacuumEmbedded, type Purged } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { openCredentials, openVerifyToken } from '../numbers/rows.ts'
import { AccountChangeEntity, InboundChangeEntity } from './entity.ts'
import { AcceptedPosts } from './lanes.ts'

/** A change that still waits. A settled one has lost its value. */
const PENDING = rowsOf(InboundChangeEntity).only('position', 'field', 'value', 'receivedAt', 'trace').filled<'value'>()
type PendingRow = RowIn<typeof PENDING>

/**
 * Our choice: as long as events and logs are kept ([webhooks.logs.1]), and far beyond the 7 days for which upstream
 * repeats.
 */
const KEEP_MS = 30 * 86_400_000

const TARGETS = rowsOf(ChannelNumberEntity)
  .only('id', 'tenantId', 'officialAccountId', 'sealedCredentials', 'sealedVerifyToken')
  .filled<'officialAccountId'>()
/** An account may have many numbers: each has the secret of its app, so the newest number that has one answers. */
const FIND_TARGETS = `select ${TARGETS.list()} from channel_numbers
  where official_phone_id is not null and (id = $1 or official_account_id = $1) order by created_at desc, id desc`

/** A change that is worked off needs only its key; what it said is in its native event. */
const SETTLED = `with ${fenceCte('$1', '$2')}, written as (
    update inbound_changes set is_pending = false, value = null, trace = null
    where number_id = $1 and position = any($3::bigint[]) and is_pending and exists (select 1 from fence)
    returning tenant_id, number_id)`
const SETTLE = keptStatement(`${SETTLED} ${fencedAnswer('written')}`)
/** Stores events, too, for each change that it settles. */
const SETTLE_AND_TELL = keptStatement(`${SETTLED}, ${eventCtes('written', '$4', '$5')} ${fencedAnswer('written')}`)

/** Upstream's changes as rows, and its posts as they are accepted. */
class SqlInboundStore extends AcceptedPosts implements InboundStore, Purged {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']

  constructor({ database, cipher, clock, onEvents }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>) {
    super({ database, clock, onEvents })
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
  }

  async findTarget(numberOrAccountId: string): Promise<InboundTarget | null> {
    const targets = await findTargets(this.#database, this.#cipher, numberOrAccountId)
    return targets.find(({ appSecret }) => appSecret !== null) ?? targets[0] ?? null
  }

  async pending(numberId: NumberId, afterPosition: number, limit: number): Promise<PendingChange[]> {
    const rows = await this.#database.query<PendingRow>(
      `select ${PENDING.list('c')} from inbound_changes c
       where c.number_id = $1 and c.is_pending and c.position > $2::bigint order by c.position limit $3`,
      [numberId, afterPosition, limit],
    )
    return rows.map(PENDING.read)
  }

  async settle(fence: Fence, positions: readonly number[], events: readonly NewEvent[]): Promise<WriteResult> {
    const about = [fence.numberId, fence.token, positions.map(String)]
    const rows =
      events.length === 0
        ? await this.#database.queryKept<FencedRow>(SETTLE, about)
        : await this.#database.queryKept<FencedRow>(SETTLE_AND_TELL, [
            ...about,
            toOutboxParameter(events),
            new Date(this.#clock.now()).toISOString(),
          ])
    const result = toWriteResult(rows[0])
    if (result === 'applied' && events.length > 0) this.#onEvents()
    return result
  }

  async listPending(limit: number): Promise<NumberId[]> {
    const rows = await this.#database.query<{ number_id: NumberId }>(
      `select number_id from inbound_changes c where is_pending and exists (select 1 from channel_numbers n where n.id = c.number_id)
       group by number_id order by min(position) limit $1`,
      [limit],
    )
    return rows.map((row) => row.number_id)
  }

  /** A change that still waits is never forgotten. */
  async purge(): Promise<number> {
    const count = await purgePast(
      this.#database,
      InboundChangeEntity,
      ['receivedAt'],
      this.#clock.now() - KEEP_MS,
      'not is_pending',
    )
    await vacuumEmbedded(this.#database, ['inbound_changes', 'account_changes'])
    return count
  }
}

/**
 * Numbers that a post of upstream may be for, with the secret that proves it is upstream's: the number of this id, or
 * those of this account.
 */
async function findTargets(session: SqlSession, cipher: Cipher, numberOrAccountId: string): Promise<InboundTarget[]> {
  const rows = await session.query<RowIn<typeof TARGETS>>(FIND_TARGETS, [numberOrAccountId])
  return rows
    .map(TARGETS.read)
    .flatMap(({ id: numberId, tenantId, officialAccountId: accountId, sealedCredentials, sealedVerifyToken }) => {
      if (sealedCredentials === null || sealedVerifyToken === null) return []
      const { appSecret } = openCredentials(cipher, numberId, sealedCredentials)
      return [
        { tenantId, numberId, accountId, appSecret, verifyToken: openVerifyToken(cipher, numberId, sealedVerifyToken) },
      ]
    })
}

const TAKEN = rowsOf(AccountChangeEntity).without('key', 'leasedUntil', 'tries')

/**
 * Only the oldest row of an account that nobody has leased can be locked, so it stands for the account: of two nodes
 * that take at once one passes it over (`skip locked`), or finds the lease when it reads the row again.
 */
const TAKE = `with head as (
    select c.tenant_id, c.account_id from account_changes c
    where (c.leased_until is null or c.leased_until <= $1::timestamptz) and not exists (
      select 1 from account_changes o where o.account_id = c.account_id and o.tenant_id = c.tenant_id
        and (o.position < c.position or o.leased_until > $1::timestamptz))
    order by c.position limit 1 for update of c skip locked
  )
  update account_changes c set leased_until = $2::timestamptz from head
  where c.position in (
    select w.position from account_changes w where w.account_id = head.account_id and w.tenant_id = head.tenant_id order by w.position limit $3)
  returning ${TAKEN.list('c')}`

/** Counts the try of one change, and gives its account free. */
const FAILED = `with failed as (update account_changes set tries = tries + 1, leased_until = $2::timestamptz where position = $1::bigint returning account_id, tenant_id, tries),
    others as (
      update account_changes c set leased_until = $2::timestamptz from failed
      where c.account_id = failed.account_id and c.tenant_id = failed.tenant_id and c.position <> $1::bigint and c.leased_until is not null)
  select tries from failed`

/** Waiting changes of accounts as rows. */
class SqlAccountChangeStore implements AccountChangeStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async take(limit: number, leaseMs: number): Promise<AccountLane | null> {
    const nowMs = this.#clock.now()
    const times = [nowMs, nowMs + leaseMs].map((ms) => new Date(ms).toISOString())
    const taken = (await this.#database.query<RowIn<typeof TAKEN>>(TAKE, [...times, limit])).map(TAKEN.read)
    const [first] = taken
    if (!first) return null
    const changes = taken.map(({ position, field, value, toldAt, receivedAt }) => ({
      position,
      field,
      value,
      at: toldAt,
      receivedAt,
    }))
    return {
      tenantId: first.tenantId,
      accountId: first.accountId,
      changes: changes.toSorted((a, b) => a.position - b.position),
    }
  }

  async failed(position: number, waitMs: number): Promise<number> {
    const [row] = await this.#database.query<{ tries: number }>(FAILED, [
      position,
      new Date(this.#clock.now() + waitMs).toISOString(),
    ])
    return row?.tries ?? 0
  }

  async settle(position: number): Promise<void> {
    await this.#database.query('delete from account_changes where position = $1::bigint', [position])
  }
}

/** Upstream changes over an open database. */
export function openChanges(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>): {
  readonly inbound: InboundStore & Purged
} {
  return { inbound: new SqlInboundStore(engine) }
}

/** What waits for accounts over an open database. */
export function openAccountChanges(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly accountChanges: AccountChangeStore
} {
  return { accountChanges: new SqlAccountChangeStore(engine) }
}
