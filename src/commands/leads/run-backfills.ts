import { nextTryAt } from '../../domain/lead-schedule.ts'
import type { UpstreamLead, UpstreamRead } from '../../ports/official/pages.ts'
import type { BackfillStep, TakenBackfill } from '../../ports/stores/lead-backfill-store.ts'
import { storeLead } from './capture.ts'
import type { LeadNode } from './node.ts'
import { pagePort } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'

/** Our choice: imports that a node works on side by side, and pages of each before others have their turn. */
const TAKEN = 4
const PAGES = 10
/** Our choice: longer than a page of leads takes. After it, what a process left behind is taken again. */
const LEASE_MS = 60_000
/** Leads younger than this are left to the webhook [leads.backfill.3]. */
const YOUNG_MS = 15 * 60_000
/** Our choice, as for noticed leads: leads whose number's privacy mode cannot be read are tried again after so long. */
const MODE_WAIT_MS = 10_000

type Counts = Pick<BackfillStep, 'imported' | 'duplicates'>

/** Imports leads ([leads.backfill.1]). Answers whether there may be more. */
export async function runBackfills(node: LeadNode, isWanted: () => boolean): Promise<boolean> {
  const taken = await node.leadBackfills.take(TAKEN, LEASE_MS)
  await Promise.all(
    taken.map((backfill) =>
      goOn(node, backfill, isWanted).catch((error: unknown) =>
        node.log.error(
          { id: backfill.id, error: error instanceof Error ? error.name : typeof error },
          'leads were not imported',
        ),
      ),
    ),
  )
  return taken.length > 0
}

/**
 * Reads some pages, then lets others have their turn. When the process ends in between, the import is taken again after
 * its lease.
 */
async function goOn(node: LeadNode, begun: TakenBackfill, isWanted: () => boolean): Promise<void> {
  let backfill: TakenBackfill | null = begun
  for (let pages = 0; pages < PAGES && isWanted(); pages++) {
    backfill = await readPage(node, backfill, pages === 0)
    if (backfill === null) return
  }
  await node.leadBackfills.postpone(backfill, new Date(node.clock.now()), false)
}

/**
 * Reads one page of leads. `isFirst`: an earlier try may have read it. Answers null when the import has ended, or goes
 * on later.
 */
async function readPage(node: LeadNode, backfill: TakenBackfill, isFirst: boolean): Promise<TakenBackfill | null> {
  const { leadBackfills, leadPages, pageOf } = node
  const { pageId, formId, since, until, cursor } = backfill
  const loaded = await leadPages.load(pageId)
  if (loaded === null) return end(node, backfill, REMOVED)
  const read = await pagePort(pageOf, loaded).leadsOf(formId, { since, until }, cursor)
  if (read.kind !== 'read') return unread(node, backfill, loaded, read)
  const counts = await importLeads(node, backfill, loaded, { leads: read.value.leads, isFirst })
  if (counts === 'gone') return end(node, backfill, REMOVED)
  if (counts === 'waits') return postpone(node, backfill, new Date(node.clock.now() + MODE_WAIT_MS), false)
  const next = await leadBackfills.advance(
    backfill,
    { ...counts, read: read.value.leads.length, cursor: read.value.next },
    LEASE_MS,
  )
  return read.value.next === null ? null : next
}

const REMOVED = { code: 'LEAD_PAGE_REMOVED', message: 'The Page is linked no more' } as const

interface LeadPart {
  readonly leads: readonly UpstreamLead[]
  readonly isFirst: boolean
}

/**
 * Imports the leads of one page. `waits`: the privacy mode of the number cannot be read; `gone`: the Page was removed
 * meanwhile. Leads stored until then stay, and are counted when the page is read again.
 */
async function importLeads(
  node: LeadNode,
  backfill: TakenBackfill,
  loaded: LoadedPage,
  { leads, isFirst }: LeadPart,
): Promise<Counts | 'waits' | 'gone'> {
  const old = leads.filter(({ createdAt }) => createdAt !== null && createdAt.getTime() <= node.clock.now() - YOUNG_MS)
  const known = await node.leads.known(
    backfill.pageId,
    old.map(({ leadgenId }) => leadgenId),
  )
  let [imported, duplicates] = [0, 0]
  for (const lead of old) {
    const before = known.get(lead.leadgenId)
    const result =
      before === undefined
        ? await importLead(node, backfill, loaded, lead)
        : isFirst && isOwn(before, backfill)
          ? 'stored'
          : 'known'
    if (result === 'waits' || result === 'gone') return result
    if (result === 'stored') imported++
    else duplicates++
  }
  return { imported, duplicates }
}

/**
 * Whether this very import has stored the lead and its process ended before the page was counted. Only one import of a
 * form runs at a time.
 */
function isOwn(
  before: { readonly source: string; readonly receivedAt: Date } | null,
  { startedAt }: TakenBackfill,
): boolean {
  return before !== null && before.source === 'backfill' && before.receivedAt > startedAt
}

async function importLead(
  { leads, forms, pageOf, measures }: LeadNode,
  { formId }: TakenBackfill,
  loaded: LoadedPage,
  read: UpstreamLead,
): Promise<'stored' | 'known' | 'gone' | 'waits'> {
  const { page } = loaded
  if (read.createdAt === null) return 'known'
  const form = await forms.read(pagePort(pageOf, loaded), page.pageId, formId)
  const lead = { ...read, createdAt: read.createdAt, formId }
  const result = await storeLead(leads, { lead, page, form, source: 'backfill' })
  if (result.kind === 'stored') measures.stored(result.lead)
  return result.kind
}

async function unread(
  node: LeadNode,
  backfill: TakenBackfill,
  { page, secrets }: LoadedPage,
  { kind, no, ...said }: Exclude<UpstreamRead<never>, { kind: 'read' }>,
): Promise<null> {
  if (kind === 'token-dead') await node.leadPages.tokenDied(page.pageId, secrets.tokenVersion)
  if (kind === 'token-dead' || kind === 'refused')
    return end(node, backfill, { code: 'LEAD_PAGE_REJECTED', message: no.upstreamMessage })
  const heldMs = ('waitMs' in said ? said.waitMs : null) ?? 0
  const dueAt = nextTryAt({ tries: backfill.tries, since: backfill.startedAt, heldMs }, node.retryMs, node.clock.now())
  if (dueAt === null) return end(node, backfill, { code: 'OFFICIAL_ERROR', message: no.upstreamMessage })
  return postpone(node, backfill, dueAt, kind === 'throttled')
}

async function postpone(
  { leadBackfills }: LeadNode,
  backfill: TakenBackfill,
  dueAt: Date,
  isThrottled: boolean,
): Promise<null> {
  await leadBackfills.postpone(backfill, dueAt, isThrottled)
  return null
}

async function end(
  { leadBackfills, log }: LeadNode,
  backfill: TakenBackfill,
  why: { readonly code: string; readonly message: string },
): Promise<null> {
  await leadBackfills.fail(backfill, why.code, why.message)
  log.warn({ id: backfill.id, pageId: backfill.pageId, code: why.code }, 'an import of leads has failed')
  return null
}
