import { COUNTED_MS, WINDOW_MARGIN_MS } from '../../domain/daily-limit.ts'
import type { TenantId } from '../../domain/ids.ts'
import { SERVICE_WINDOW_MS } from '../../domain/limits.ts'
import type { ReachAsk, ReachResult, ReachStore, TakenPlace } from '../../ports/stores/reach-store.ts'
import { ledTo } from '../conversations/aliases.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { purgePast } from '../engine/purge.ts'
import { toDate, toRecordset } from '../engine/rows.ts'
import { LOCK_ACCOUNT } from '../official-accounts/accounts.ts'
import { ReachedPersonEntity } from './entity.ts'

/** Our choice: most asks of one statement. */
const BATCH = 250

/** SQL of the people who count for the account `$1` of tenant `$2`: those since `$3`. */
const COUNTING = `from reached_people where account_id = $1 and tenant_id = $2 and reached_at > $3::timestamptz`

/**
 * Takes places for the asks `$4`; `$5` is the present, and windows are open of who wrote after `$6`. Runs with the
 * account locked, so that its snapshot has all that was taken before. Each new person gets a turn, those of the highest
 * limit first; a place that a message took before stays that message's.
 */
const TAKE = `with given as (
    select * from json_to_recordset($4::json) as g (place integer, person text, message_id text, number_id text, conversation_id text, per_day integer)
  ), known as (
    select g.*, exists (select 1 from conversations c where c.id = ${ledTo('g.conversation_id')} and c.number_id = g.number_id and c.last_inbound_at > $6::timestamptz) as is_open,
      exists (select 1 ${COUNTING} and reached_people.person = g.person) as is_counted
    from given g
  ), turns as (
    select person, row_number() over (order by max(per_day) desc, min(place)) as turn from known where not is_open and not is_counted group by person
  ), before as (
    select count(*) as count, min(reached_at) as first_at ${COUNTING}
  ), fates as (
    select k.*, k.is_open or k.is_counted or b.count + t.turn <= k.per_day as is_taken, b.first_at
    from known k cross join before b left join turns t on t.person = k.person
  ), written as (
    insert into reached_people as r (account_id, tenant_id, person, reached_at, message_id)
    select $1, $2, person, $5::timestamptz, case when count(*) = 1 then min(message_id) end from fates where is_taken and not is_open group by person order by person
    on conflict (account_id, tenant_id, person) do update set reached_at = excluded.reached_at,
      message_id = case when r.reached_at <= $3::timestamptz or r.message_id = excluded.message_id then excluded.message_id end
  )
  select place, is_open, is_taken, first_at from fates`

interface Fate {
  readonly place: number
  readonly is_open: boolean
  readonly is_taken: boolean
  /** Null while nobody counts. */
  readonly first_at: string | null
}

const GIVE_BACK = `delete from reached_people where account_id = $1 and tenant_id = $2 and person = $3 and message_id = $4 and reached_at = $5::timestamptz`

/** People reached, a row for each; the digest of an address differs from account to account. */
class SqlReach implements ReachStore {
  readonly #database: Engine['database']
  readonly #cipher: Engine['cipher']
  readonly #clock: Engine['clock']
  /** Asks under way, by account: an account that is locked for long holds up no other. */
  readonly #asked = new Map<string, { readonly gathered: Gathered<ReachAsk, ReachResult>; waiting: number }>()

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  async take(ask: ReachAsk): Promise<ReachResult> {
    const key = `${ask.tenantId} ${ask.accountId}`
    const asked = this.#asked.get(key) ?? {
      gathered: new Gathered<ReachAsk, ReachResult>({
        run: (asks) => this.#take(ask, asks),
        weightOf: () => 1,
        maxWeight: BATCH,
      }),
      waiting: 0,
    }
    this.#asked.set(key, asked)
    asked.waiting++
    try {
      return await asked.gathered.add(ask)
    } finally {
      asked.waiting--
      if (asked.waiting === 0) this.#asked.delete(key)
    }
  }

  /**
   * The lock is a statement of its own: one that waits for a lock still counts what it saw before the wait, and two
   * would take the last place.
   */
  async #take(
    { accountId, tenantId }: Pick<ReachAsk, 'accountId' | 'tenantId'>,
    asks: readonly ReachAsk[],
  ): Promise<ReachResult[]> {
    const given = toRecordset(
      asks.map(({ address, messageId, numberId, conversationId, perDay }, place) => ({
        place,
        person: this.#personOf({ tenantId, accountId, address }),
        message_id: messageId,
        number_id: numberId,
        conversation_id: conversationId,
        per_day: perDay,
      })),
    )
    // A purge may hold rows of people that no longer count in another order.
    const { at, fates } = await despiteDeadlock(() =>
      this.#database.transaction(async (session) => {
        await session.query(LOCK_ACCOUNT, [accountId, tenantId])
        const at = new Date(this.#clock.now())
        const wroteMs = at.getTime() - SERVICE_WINDOW_MS + WINDOW_MARGIN_MS
        const times = [at, new Date(wroteMs)].map((time) => time.toISOString())
        return { at, fates: await session.query<Fate>(TAKE, [accountId, tenantId, this.#since(at), given, ...times]) }
      }),
    )
    const results = new Map(fates.map((fate) => [fate.place, resultOf(fate, at)]))
    return asks.flatMap((_, place) => results.get(place) ?? [])
  }

  async giveBack({ accountId, tenantId, address, messageId, at }: TakenPlace): Promise<void> {
    const person = this.#personOf({ tenantId, accountId, address })
    await this.#database.query(GIVE_BACK, [accountId, tenantId, person, messageId, at.toISOString()])
  }

  async counted(tenantId: TenantId, accountId: string): ReturnType<ReachStore['counted']> {
    const [row] = await this.#database.query<{ used: number; first_at: string | null }>(
      `select count(*)::integer as used, min(reached_at) as first_at ${COUNTING}`,
      [accountId, tenantId, this.#since(new Date(this.#clock.now()))],
    )
    return { used: row?.used ?? 0, resetsAt: row?.first_at ? overAt(row.first_at) : null }
  }

  purge(): Promise<number> {
    return purgePast(this.#database, ReachedPersonEntity, ['reachedAt'], this.#clock.now() - COUNTED_MS)
  }

  /** Since when people count. */
  #since(at: Date): string {
    return new Date(at.getTime() - COUNTED_MS).toISOString()
  }

  #personOf({ tenantId, accountId, address }: Pick<ReachAsk, 'tenantId' | 'accountId' | 'address'>): string {
    return Buffer.from(this.#cipher.token(address, `reached:${tenantId}:${accountId}`)).toString('base64url')
  }
}

function overAt(reachedAt: string): Date {
  return new Date(toDate(reachedAt).getTime() + COUNTED_MS)
}

function resultOf({ is_open: isOpen, is_taken: isTaken, first_at: firstAt }: Fate, at: Date): ReachResult {
  if (isOpen) return { kind: 'open' }
  if (isTaken) return { kind: 'counted', at }
  return { kind: 'full', until: firstAt === null ? at : overAt(firstAt) }
}

/** People reached over an open database. */
export function openReach(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): {
  readonly reach: ReachStore
} {
  return { reach: new SqlReach(engine) }
}
