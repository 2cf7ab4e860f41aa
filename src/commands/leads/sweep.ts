import type { PagePort, UpstreamRead } from '../../ports/official/pages.ts'
import { pagePort } from './page-port.ts'
import type { LeadPorts } from './ports.ts'

/** How often a Page is swept, ms [leads.sweep.1]. */
export const SWEEP_MS = 3_600_000
/** How old the leads are at most that a sweep looks for, ms [leads.sweep.1]. */
const RECENT_MS = 48 * 3_600_000
/** Our choice: Pages that a node sweeps side by side. */
const TAKEN = 4
/** Our choice: pages that one sweep reads at most. The next sweep, an hour later, reads the newest again. */
const FORM_PAGES = 20
const LEAD_PAGES = 50

/**
 * Looks for leads that no notice told of ([leads.sweep.1]); what it finds is stored as a notice ([leads.sweep.2]).
 * Answers whether there may be more.
 */
export async function sweepPages(ports: LeadPorts, isWanted: () => boolean): Promise<boolean> {
  const pageIds = await ports.leadPages.takeSweeps(TAKEN, SWEEP_MS)
  await Promise.all(
    pageIds.map((pageId) =>
      sweep(ports, pageId, isWanted).catch((error: unknown) =>
        ports.log.error(
          { pageId, error: String(error) },
          'the search for leads of a Page that no notice told of failed; it runs again in an hour',
        ),
      ),
    ),
  )
  return pageIds.length === TAKEN
}

async function sweep(ports: LeadPorts, pageId: string, isWanted: () => boolean): Promise<void> {
  const loaded = await ports.leadPages.load(pageId)
  if (loaded === null) return
  const port = pagePort(ports.pageOf, loaded)
  const end = await readPages(
    FORM_PAGES,
    (after) => port.forms(after),
    async ({ forms }) => {
      for (const { formId } of forms) {
        if (!isWanted()) return null
        const stop = await sweepForm(ports, port, { pageId, formId })
        // A refusal of one form says nothing of the others.
        if (stop?.kind === 'token-dead' || stop?.kind === 'throttled') return stop
      }
      return null
    },
  )
  if (end?.kind === 'token-dead') await ports.leadPages.tokenDied(pageId, loaded.secrets.tokenVersion)
  if (end !== null) tellUnread(ports, { pageId }, end)
}

async function sweepForm(
  ports: LeadPorts,
  port: PagePort,
  { pageId, formId }: { readonly pageId: string; readonly formId: string },
): Promise<Unread | null> {
  const { leadNotices, clock, log, leadsDue } = ports
  const range = { since: new Date(clock.now() - RECENT_MS), until: new Date(clock.now()) }
  const end = await readPages(
    LEAD_PAGES,
    (after) => port.leadsOf(formId, range, after),
    async ({ leads }) => {
      const found = await leadNotices.acceptFound(
        pageId,
        leads.map(({ leadgenId, adId }) => ({ leadgenId, pageId, formId, adId })),
      )
      if (found === 0) return null
      log.info({ pageId, formId, found }, 'leads were found that no notice had told of')
      leadsDue()
      return null
    },
  )
  if (end?.kind === 'refused' || end?.kind === 'failed') tellUnread(ports, { pageId, formId }, end)
  return end
}

function tellUnread({ log }: LeadPorts, of: object, { kind, no }: Unread): void {
  log.warn(
    { ...of, outcome: kind, code: no.upstreamCode },
    'the search for leads that no notice told of was not completed; it runs again in an hour',
  )
}

type Unread = Exclude<UpstreamRead<never>, { kind: 'read' }>

/**
 * Reads at most `most` pages, one after another, until `each` answers a reason to stop. Answers null when nothing
 * stopped it.
 */
async function readPages<T extends { readonly next: string | null }>(
  most: number,
  read: (after: string | null) => Promise<UpstreamRead<T>>,
  each: (page: T) => Promise<Unread | null>,
): Promise<Unread | null> {
  let after: string | null = null
  for (let pages = 0; pages < most; pages++) {
    const answer: UpstreamRead<T> = await read(after)
    if (answer.kind !== 'read') return answer
    const stop = await each(answer.value)
    if (stop !== null || answer.value.next === null) return stop
    after = answer.value.next
  }
  return null
}
