import type { EventId, NumberId } from '../../domain/ids.ts'
import type { Lead } from '../../domain/lead.ts'
import { KeyedTurns } from '../../domain/turns.ts'
import type { CapturedLead, LeadQuery, LeadStore, StoreLeadResult } from '../../ports/stores/lead-store.ts'
import type { Paged } from '../../ports/stores/message-store.ts'
import { keptStatement } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { vacuumEmbedded } from '../engine/purge.ts'
import { isErasable, WITHHELD } from '../events/privacy.ts'
import { CUT, LIMITED } from '../numbers/retention.ts'
import { AutoSends } from './auto-sends.ts'
import { countLeadsCte, FILTERS, listOf } from './listing.ts'
import { LEAD_COLUMNS, LEAD_JOINS, toKnown, toLead, type KnownRow, type LeadRow } from './row.ts'
import { LeadStoring } from './storing.ts'

const FIND = keptStatement(
  `select ${LEAD_COLUMNS} from leads l ${LEAD_JOINS} where l.id = $2 and l.number_id = $1 and l.erased_at is null`,
)

/** Finds known leads. A lead whose notice came again while it was stored is in both tables: its own row comes last. */
const KNOWN = `select leadgen_id, null as source, null as received_at from lead_notices where leadgen_id = any($1::text[]) and page_id = $2
  union all select leadgen_id, source, received_at from leads where leadgen_id = any($1::text[])`

/**
 * Empties the row, and takes it from the counts. The ids stay, so that the lead is never imported again; the contact
 * goes, because it is made of the phone. Our choice: an auto-send that was not accepted yet becomes `none`.
 */
const ERASE = `with erased as (
    update leads l set full_name = null, email = null, phone = null, fields = '[]', contact_id = null, consent_given = null, sealed_auto_send = null, auto_send_due_at = null,
      auto_send_status = case when l.auto_send_status = 'pending' and l.auto_send_message_id is null then 'none' else l.auto_send_status end, is_redacted = true, erased_at = $3::timestamptz
    where l.id = $2 and l.number_id = $1 and l.erased_at is null
    returning l.number_id, l.form_id, l.ad_id, l.page_id, l.created_at, l.event_id
  ), ${countLeadsCte('erased', -1)}
  select event_id from erased`

const EMPTY_EVENT = `update events set data = '${WITHHELD}' where id = $1`

/**
 * Empties the logs of an event, by the index of logs of leads. It runs after the event's own statement, because whoever
 * stores a log locks the event, so that this statement sees it.
 */
const EMPTY_LOGS = `update webhook_logs set payload = '', response = '' where event_id = $1 and ${isErasable('event')}`

/**
 * Strips the rows that reads already redact, by the index of rows that are not redacted. A number whose mode is unknown
 * keeps everything. Counts stay.
 */
const STRIP = `with kept as (
    select k.id from channel_numbers n cross join lateral (
      select l.id from leads l where l.number_id = n.id and not l.is_redacted and l.erased_at is null and (n.pii_mode = 'RELAY_ONLY' or l.created_at < ${CUT})
      limit $2::integer for update skip locked) k
    where n.pii_mode = 'RELAY_ONLY' or (${LIMITED}) limit $2::integer
  )
  update leads l set full_name = null, email = null, phone = null, fields = '[]', is_redacted = true from kept where l.id = kept.id returning 1`

/** Tables of leads, which in the embedded database only grow until they are vacuumed. */
const TABLES = ['leads', 'lead_counts', 'lead_notices', 'lead_pages', 'lead_backfills']

/**
 * Our choice: leads that a node stores at once, each in a transaction with a connection of its own, so that requests
 * have the other connections.
 */
const STORED_AT_ONCE = 4

type ListedRow = { readonly total: number } & (LeadRow | { readonly id: null })

/** Leads as rows. */
class SqlLeadStore extends AutoSends implements LeadStore {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds'>
  /** Leads of one Page are stored one after another, so that none of this node holds a connection while it waits. */
  readonly #turns = new KeyedTurns({ inAll: STORED_AT_ONCE })

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds'>) {
    super(engine)
    this.#engine = engine
  }

  store(lead: CapturedLead, settle: Parameters<LeadStore['store']>[1]): Promise<StoreLeadResult> {
    return this.#turns.run(lead.pageId, () => this.#store(lead, settle))
  }

  async #store(lead: CapturedLead, settle: Parameters<LeadStore['store']>[1]): Promise<StoreLeadResult> {
    const { database, onEvents, onAds } = this.#engine
    for (;;) {
      const result = await despiteDeadlock(() =>
        database.transaction((session) => new LeadStoring(this.#engine, session, lead).store(settle)),
      )
      if (result.kind === 'stored') onEvents()
      if (result.kind === 'stored' && lead.adId !== null && lead.adName === null) onAds()
      if (result.kind !== 'moved') return result
    }
  }

  async known(pageId: string, leadgenIds: readonly string[]): ReturnType<LeadStore['known']> {
    if (leadgenIds.length === 0) return new Map()
    const rows = await this.#engine.database.query<KnownRow>(KNOWN, [leadgenIds, pageId])
    return new Map(rows.map((row) => [row.leadgen_id, toKnown(row)]))
  }

  async list(numberId: NumberId, query: LeadQuery): Promise<Paged<Lead>> {
    const { page, pageSize, startDate, endDate } = query
    const values = { form: query.formId, ad: query.adId, page: query.pageId }
    const filters = FILTERS.filter((filter) => values[filter] !== null)
    const rows = await this.#engine.database.lists.queryKept<ListedRow>(listOf(filters), [
      numberId,
      startDate?.toISOString() ?? null,
      endDate?.toISOString() ?? null,
      pageSize,
      (page - 1) * pageSize,
      ...filters.map((filter) => values[filter]),
    ])
    // A page beyond the last has one row, which holds the total alone.
    return { items: rows.flatMap((row) => (row.id === null ? [] : toLead(row))), total: rows[0]?.total ?? 0 }
  }

  async find(numberId: NumberId, id: string): Promise<Lead | null> {
    const rows = await this.#engine.database.queryKept<LeadRow>(FIND, [numberId, id])
    return rows[0] ? toLead(rows[0]) : null
  }

  erase(numberId: NumberId, id: string): Promise<boolean> {
    const { database, clock } = this.#engine
    return despiteDeadlock(() =>
      database.transaction(async (session) => {
        const [row] = await session.query<{ event_id: EventId | null }>(ERASE, [
          numberId,
          id,
          new Date(clock.now()).toISOString(),
        ])
        if (!row) return false
        if (row.event_id !== null) {
          await session.query(EMPTY_EVENT, [row.event_id])
          await session.query(EMPTY_LOGS, [row.event_id])
        }
        return true
      }),
    )
  }

  async strip(limit: number): Promise<number> {
    const { database, clock } = this.#engine
    const stripped = await despiteDeadlock(() =>
      database.chores.query(STRIP, [new Date(clock.now()).toISOString(), limit]),
    )
    if (stripped.length < limit) await vacuumEmbedded(database, TABLES)
    return stripped.length
  }
}

/** Leads over an open database. */
export function openLeads(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds'>): {
  readonly leads: LeadStore
} {
  return { leads: new SqlLeadStore(engine) }
}
