import type { NumberId } from '../../domain/ids.ts'
import type { Lead } from '../../domain/lead.ts'
import type { CapturedLead, LeadQuery, LeadStore, StoreLeadResult } from '../../ports/stores/lead-store.ts'
import type { Paged } from '../../ports/stores/message-store.ts'
import { keptStatement } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { KeyedTurns } from '../engine/turns.ts'
import { AutoSends } from './auto-sends.ts'
import { FILTERS } from './counts.ts'
import { eraseLead } from './erasing.ts'
import { listOf } from './list-sql.ts'
import { LEAD_COLUMNS, LEAD_JOINS, toKnown, toLead, type KnownRow, type LeadRow } from './row.ts'
import { LeadStoring } from './storing.ts'
import { stripLeads } from './strip.ts'

const FIND = keptStatement(`select ${LEAD_COLUMNS} from leads l ${LEAD_JOINS} where l.id = $2 and l.number_id = $1 and l.erased_at is null`)

/** A lead whose notice came again while it was stored is both: the row of the lead comes last. */
const KNOWN = `select leadgen_id, null as source, null as received_at from lead_notices where leadgen_id = any($1::text[]) and page_id = $2
  union all select leadgen_id, source, received_at from leads where leadgen_id = any($1::text[])`

/** Our choice: leads a node stores at once, each in a transaction with a connection of its own; requests have the rest. */
const STORED_AT_ONCE = 4

type ListedRow = { readonly total: number } & (LeadRow | { readonly id: null })

/** Leads as rows. */
class SqlLeadStore extends AutoSends implements LeadStore {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds'>
  /** Leads of one Page are stored one after another: of those of this node none holds a connection while it waits. */
  readonly #turns = new KeyedTurns(STORED_AT_ONCE)

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds'>) {
    super(engine)
    this.#engine = engine
  }

  store(lead: CapturedLead, settle: Parameters<LeadStore['store']>[1]): Promise<StoreLeadResult> {
    return this.#turns.take(lead.pageId, () => this.#store(lead, settle))
  }

  async #store(lead: CapturedLead, settle: Parameters<LeadStore['store']>[1]): Promise<StoreLeadResult> {
    const { database, onEvents, onAds } = this.#engine
    for (;;) {
      const result = await despiteDeadlock(() => database.transaction((session) => new LeadStoring(this.#engine, session, lead).store(settle)))
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
      numberId, startDate?.toISOString() ?? null, endDate?.toISOString() ?? null, pageSize, (page - 1) * pageSize, ...filters.map((filter) => values[filter]),
    ])
    // A page beyond the last has one row, of the total alone.
    return { items: rows.flatMap((row) => row.id === null ? [] : toLead(row)), total: rows[0]?.total ?? 0 }
  }

  async find(numberId: NumberId, id: string): Promise<Lead | null> {
    const rows = await this.#engine.database.queryKept<LeadRow>(FIND, [numberId, id])
    return rows[0] ? toLead(rows[0]) : null
  }

  erase(numberId: NumberId, id: string): Promise<boolean> {
    const { database, clock } = this.#engine
    return despiteDeadlock(() => database.transaction((session) => eraseLead(session, numberId, id, new Date(clock.now()))))
  }

  strip(limit: number): Promise<number> {
    return stripLeads(this.#engine, limit)
  }
}

/** Leads over an open database. */
export function openLeads(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds'>): { readonly leads: LeadStore } {
  return { leads: new SqlLeadStore(engine) }
}
