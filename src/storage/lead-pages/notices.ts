import type { LeadNotice, LeadNoticeStore, NoticeTaking, TakenNotice } from '../../ports/stores/lead-notice-store.ts'
import { keptStatement } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { inPieces } from '../engine/pieces.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { toDateOrNull, toRecordset } from '../engine/rows.ts'
import { appSecretDigest } from './row.ts'
import { LeadNoticeEntity } from './entity.ts'

/** Columns of notices that are taken. */
const NOTICES = rowsOf(LeadNoticeEntity).without('takenBy')

/**
 * Our choice: most notices that one statement stores. A post with more is stored in pieces, with other posts in
 * between.
 */
const TOGETHER = 500

/**
 * Stores the notices `g` of `$1` that belong to Pages `p` for which `isOf` is true, each once per Page and unless its
 * lead is known. The Pages are locked, in one order, so that a removed Page takes its notices with it. Answers which
 * post each notice belongs to, and with a null post which notices are new. The two lists are matched by the caller: in
 * SQL, where the planner does not know their sizes, ten thousand rows would be compared each with each.
 */
function acceptSql(isOf: string) {
  return keptStatement(`with given as (
      select * from json_to_recordset($1::json) as g (post integer, page_id text, app_id text, digest text, leadgen_id text, form_id text, ad_id text)
    ), pages as materialized (
      select p.page_id, p.app_id, p.app_secret_digest from lead_pages p where p.page_id in (select page_id from given) order by p.page_id for key share
    ), fresh as (
      select distinct on (g.leadgen_id, g.page_id) g.* from given g join pages p on p.page_id = g.page_id and ${isOf}
      where not exists (select 1 from leads l where l.leadgen_id = g.leadgen_id) order by g.leadgen_id, g.page_id, g.post
    ), stored as (
      insert into lead_notices (leadgen_id, page_id, form_id, ad_id, due_at, noticed_at)
      select leadgen_id, page_id, form_id, ad_id, $2::timestamptz, $2::timestamptz from fresh order by leadgen_id, page_id
      on conflict (leadgen_id, page_id) do nothing returning leadgen_id, page_id
    )
    select leadgen_id, page_id, post from fresh union all select leadgen_id, page_id, null from stored`)
}

/** A secret speaks only for the Pages of its app that are linked with it ([leads.webhook.3]). */
const ACCEPT = acceptSql('p.app_id = g.app_id and p.app_secret_digest = g.digest')
const ACCEPT_FOUND = acceptSql('true')

/**
 * Takes a few notices of each Page, so that a Page with many keeps no other waiting. What another node has just taken
 * is passed over.
 */
const TAKE = `with due as (
    select p.page_id, d.leadgen_id from lead_pages p cross join lateral (
      select leadgen_id, due_at from lead_notices where page_id = p.page_id and due_at <= $1::timestamptz order by due_at limit $4::integer for update skip locked) d
    where p.is_token_valid and p.page_id <> all($5::text[]) order by d.due_at limit $3::integer
  )
  update lead_notices n set due_at = $2::timestamptz, taken_by = $6 from due where n.leadgen_id = due.leadgen_id and n.page_id = due.page_id
  returning ${NOTICES.list('n')}`

const POSTPONE =
  'update lead_notices set due_at = $3::timestamptz, taken_by = null, tries = tries + $4::integer where leadgen_id = $1 and page_id = $5 and due_at = $2::timestamptz'

/**
 * Gives back notices taken by a process that is no longer a node; a node that does not run is no longer one once its
 * leases are over.
 */
const GIVE_BACK = `update lead_notices n set due_at = $1::timestamptz, taken_by = null
  where taken_by is not null and due_at > $1::timestamptz and not exists (select from nodes where boot = n.taken_by and expires_at > clock_timestamp())`

/** What one post of the webhook tells, with the app and the digest of the secret that signed it. */
interface Post {
  readonly appId: string | null
  readonly digest: string | null
  readonly notices: readonly LeadNotice[]
}

const toTaken = NOTICES.reader({ dueAt: 'claim' })

/**
 * Notices as rows. The row is the job: `due_at` says when it is tried, and until when it belongs to whoever took it.
 */
class SqlLeadNoticeStore implements LeadNoticeStore {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock'>
  /** Posts that come while others are stored share the next statement. */
  readonly #posts = new Gathered<Post, number>({
    run: (posts) => this.#accept(posts, ACCEPT),
    weightOf: ({ notices }) => notices.length,
    maxWeight: TOGETHER,
  })

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#engine = engine
  }

  async accept(appId: string, appSecret: string, notices: readonly LeadNotice[]): Promise<number> {
    const digest = appSecretDigest(this.#engine.cipher, appId, appSecret)
    let stored = 0
    for (const piece of inPieces(notices, TOGETHER)) stored += await this.#posts.add({ appId, digest, notices: piece })
    return stored
  }

  async acceptFound(pageId: string, notices: readonly LeadNotice[]): Promise<number> {
    const found = notices.filter((notice) => notice.pageId === pageId)
    if (found.length === 0) return 0
    const [count = 0] = await this.#accept([{ appId: null, digest: null, notices: found }], ACCEPT_FOUND)
    return count
  }

  async #accept(posts: readonly Post[], statement: typeof ACCEPT): Promise<number[]> {
    const rows = posts.flatMap(({ appId, digest, notices }, post) =>
      notices.map(({ leadgenId, pageId, formId, adId }) => ({
        post,
        page_id: pageId,
        app_id: appId,
        digest,
        leadgen_id: leadgenId,
        form_id: formId,
        ad_id: adId,
      })),
    )
    const answers = await despiteDeadlock(() =>
      this.#engine.database.queryKept<{ leadgen_id: string; page_id: string; post: number | null }>(statement, [
        toRecordset(rows),
        this.#at(),
      ]),
    )
    const stored = new Set(answers.flatMap((row) => (row.post === null ? [`${row.page_id}/${row.leadgen_id}`] : [])))
    const counts = posts.map(() => 0)
    for (const { leadgen_id: id, page_id: pageId, post } of answers)
      if (post !== null && stored.has(`${pageId}/${id}`)) counts[post] = (counts[post] ?? 0) + 1
    return counts
  }

  async take(
    limit: number,
    perPage: number,
    { by, leaseMs, except = [] }: NoticeTaking,
  ): Promise<readonly TakenNotice[]> {
    const rows = await despiteDeadlock(() =>
      this.#engine.database.query<RowIn<typeof NOTICES>>(TAKE, [
        this.#at(),
        this.#at(leaseMs),
        limit,
        perPage,
        except,
        by,
      ]),
    )
    return rows.map(toTaken)
  }

  async giveBack(): Promise<void> {
    await despiteDeadlock(() => this.#engine.database.query(GIVE_BACK, [this.#at()]))
  }

  async postpone({ leadgenId, pageId, claim }: TakenNotice, dueAt: Date, countsAsTry: boolean): Promise<void> {
    await this.#engine.database.query(POSTPONE, [
      leadgenId,
      claim.toISOString(),
      dueAt.toISOString(),
      Number(countsAsTry),
      pageId,
    ])
  }

  async drop({ leadgenId, pageId }: Pick<TakenNotice, 'leadgenId' | 'pageId'>): Promise<void> {
    await this.#engine.database.query('delete from lead_notices where leadgen_id = $1 and page_id = $2', [
      leadgenId,
      pageId,
    ])
  }

  async waiting(): ReturnType<LeadNoticeStore['waiting']> {
    const [row] = await this.#engine.database.query<{ count: number; oldest: string | null }>(
      'select count(*)::integer as count, min(noticed_at) as oldest from lead_notices',
    )
    return { count: row?.count ?? 0, oldestAt: toDateOrNull(row?.oldest ?? null) }
  }

  #at(inMs = 0): string {
    return new Date(this.#engine.clock.now() + inMs).toISOString()
  }
}

/** Notices over an open database. */
export function openLeadNotices(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): {
  readonly leadNotices: LeadNoticeStore
} {
  return { leadNotices: new SqlLeadNoticeStore(engine) }
}
