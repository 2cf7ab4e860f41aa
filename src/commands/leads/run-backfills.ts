import { nextTryAt } from '../../domain/lead-schedule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PageOf, UpstreamLead, UpstreamRead } from '../../ports/official/pages.ts'
import type { BackfillStep, LeadBackfillStore, TakenBackfill } from '../../ports/stores/lead-backfill-store.ts'
import type { LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import type { LeadStore } from '../../ports/stores/lead-store.ts'
import { storeLead } from './capture.ts'
import type { LeadForms } from './remembered-forms.ts'
import type { LeadMeasures } from './measures.ts'
import { pagePort } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'

/** Our choice: imports a node works on side by side, and the pages of each before others have their turn. */
const TAKEN = 4
const PAGES = 10
/** Our choice: longer than a page of leads takes; what a process leaves behind is taken up again after it. */
const LEASE_MS = 60_000
/** contract 12, Backfill: younger leads are left to the webhook. */
const YOUNG_MS = 15 * 60_000
/** Our choice, as for noticed leads: when leads whose number's mode cannot be read are tried again. */
const MODE_WAIT_MS = 10_000

export interface BackfillDeps {
  readonly leadBackfills: Pick<LeadBackfillStore, 'take' | 'advance' | 'postpone' | 'fail'>
  readonly leadPages: Pick<LeadPageStore, 'load' | 'tokenDied'>
  readonly leads: Pick<LeadStore, 'known' | 'store'>
  readonly forms: LeadForms
  readonly pageOf: PageOf
  /** Waits before upstream is asked again; the last repeats. */
  readonly retryMs: readonly number[]
  readonly measures: LeadMeasures
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

type Counts = Pick<BackfillStep, 'imported' | 'duplicates'>

/** Imports leads (contract 12, Backfill). Answers whether there may be more. */
export async function runBackfills(deps: BackfillDeps, isWanted: () => boolean): Promise<boolean> {
  const taken = await deps.leadBackfills.take(TAKEN, LEASE_MS)
  await Promise.all(
    taken.map((backfill) =>
      goOn(deps, backfill, isWanted).catch((error: unknown) =>
        deps.log.error(
          { id: backfill.id, error: error instanceof Error ? error.name : typeof error },
          'leads were not imported',
        ),
      ),
    ),
  )
  return taken.length > 0
}

/**
 * Reads some pages, then lets others have their turn. Where a process ends between, the lease brings the import back.
 */
async function goOn(deps: BackfillDeps, begun: TakenBackfill, isWanted: () => boolean): Promise<void> {
  let backfill: TakenBackfill | null = begun
  for (let pages = 0; pages < PAGES && isWanted(); pages++) {
    backfill = await readPage(deps, backfill, pages === 0)
    if (backfill === null) return
  }
  await deps.leadBackfills.postpone(backfill, new Date(deps.clock.now()), false)
}

/** One page of leads. `isFirst`: it may have been read before. Null: the import has ended, or goes on later. */
async function readPage(deps: BackfillDeps, backfill: TakenBackfill, isFirst: boolean): Promise<TakenBackfill | null> {
  const { leadBackfills, leadPages, pageOf } = deps
  const { pageId, formId, since, until, cursor } = backfill
  const loaded = await leadPages.load(pageId)
  if (loaded === null) return end(deps, backfill, REMOVED)
  const read = await pagePort(pageOf, loaded).leadsOf(formId, { since, until }, cursor)
  if (read.kind !== 'read') return unread(deps, backfill, loaded, read)
  const counts = await importLeads(deps, backfill, loaded, { leads: read.value.leads, isFirst })
  if (counts === 'gone') return end(deps, backfill, REMOVED)
  if (counts === 'waits') return postpone(deps, backfill, new Date(deps.clock.now() + MODE_WAIT_MS), false)
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
 * `waits`: the mode of the number cannot be read; `gone`: the Page was removed meanwhile. What is stored by then stays,
 * and is counted when the page is read again.
 */
async function importLeads(
  deps: BackfillDeps,
  backfill: TakenBackfill,
  loaded: LoadedPage,
  { leads, isFirst }: LeadPart,
): Promise<Counts | 'waits' | 'gone'> {
  const old = leads.filter(({ createdAt }) => createdAt !== null && createdAt.getTime() <= deps.clock.now() - YOUNG_MS)
  const known = await deps.leads.known(
    backfill.pageId,
    old.map(({ leadgenId }) => leadgenId),
  )
  let [imported, duplicates] = [0, 0]
  for (const lead of old) {
    const before = known.get(lead.leadgenId)
    const result =
      before === undefined
        ? await importLead(deps, backfill, loaded, lead)
        : isFirst && isOwn(before, backfill)
          ? 'stored'
          : 'known'
    if (result === 'waits' || result === 'gone') return result
    if (result === 'stored') imported++
    else duplicates++
  }
  return { imported, duplicates }
}

/** Stored by this very import, whose process ended before the page was counted: one import of a form runs at a time. */
function isOwn(
  before: { readonly source: string; readonly receivedAt: Date } | null,
  { startedAt }: TakenBackfill,
): boolean {
  return before !== null && before.source === 'backfill' && before.receivedAt > startedAt
}

async function importLead(
  { leads, forms, pageOf, measures }: BackfillDeps,
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
  deps: BackfillDeps,
  backfill: TakenBackfill,
  { page, secrets }: LoadedPage,
  { kind, no, ...said }: Exclude<UpstreamRead<never>, { kind: 'read' }>,
): Promise<null> {
  if (kind === 'token-dead') await deps.leadPages.tokenDied(page.pageId, secrets.tokenVersion)
  if (kind === 'token-dead' || kind === 'refused')
    return end(deps, backfill, { code: 'LEAD_PAGE_REJECTED', message: no.upstreamMessage })
  const heldMs = ('waitMs' in said ? said.waitMs : null) ?? 0
  const dueAt = nextTryAt({ tries: backfill.tries, since: backfill.startedAt, heldMs }, deps.retryMs, deps.clock.now())
  if (dueAt === null) return end(deps, backfill, { code: 'OFFICIAL_ERROR', message: no.upstreamMessage })
  return postpone(deps, backfill, dueAt, kind === 'throttled')
}

async function postpone(
  { leadBackfills }: BackfillDeps,
  backfill: TakenBackfill,
  dueAt: Date,
  isThrottled: boolean,
): Promise<null> {
  await leadBackfills.postpone(backfill, dueAt, isThrottled)
  return null
}

async function end(
  { leadBackfills, log }: BackfillDeps,
  backfill: TakenBackfill,
  why: { readonly code: string; readonly message: string },
): Promise<null> {
  await leadBackfills.fail(backfill, why.code, why.message)
  log.warn({ id: backfill.id, pageId: backfill.pageId, code: why.code }, 'an import of leads has failed')
  return null
}
