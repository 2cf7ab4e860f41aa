import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { LeadBackfill } from '../../ports/stores/lead-backfill-store.ts'
import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import { findLinked, findPage, NO_SUCH_PAGE } from './find-page.ts'
import { findForm } from './forms.ts'
import type { LeadPorts } from './ports.ts'

/** The default range of a backfill [leads.routes.10]; upstream keeps leads for about as long. */
const DEFAULT_MS = 90 * 86_400_000
/** The earliest date that is stored [rest.dates.1]. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')

export interface BackfillInput {
  readonly pageId: string
  readonly formId: string
  /** Both ends count. null means the default: the last 90 days. */
  readonly since: Date | null
  readonly until: Date | null
}

/**
 * Starts importing the leads of a form ([leads.routes.10]); the stored row is worked off later ([leads.backfill.1]).
 * Refusals: INVALID_DATE_RANGE, LEAD_PAGE_NOT_FOUND, LEAD_FORM_NOT_FOUND and those of upstream, BACKFILL_RUNNING.
 */
export async function startBackfill(
  ports: LeadPorts,
  scope: LeadPageScope,
  { pageId, formId, since, until }: BackfillInput,
): Promise<Outcome<LeadBackfill>> {
  const range = rangeOf(since, until, ports.clock.now())
  if (range.since > range.until) return fail(refuse('INVALID_DATE_RANGE', 'since must not be after until'))
  const linked = await findLinked(ports, scope, pageId)
  if (!linked.ok) return linked
  const form = await findForm(ports, linked.value, formId)
  if (!form.ok) return form
  const started = await ports.leadBackfills.start({
    ...range,
    pageId,
    formId,
    tenantId: scope.tenantId,
    numberId: linked.value.page.channelNumberId,
  })
  if (started.kind === 'gone') return fail(NO_SUCH_PAGE)
  if (started.kind === 'running')
    return fail(refuse('BACKFILL_RUNNING', 'An import of this form is running already', { id: started.id }))
  ports.backfillsDue()
  return succeed(started.backfill)
}

/** Our choice: without `since` it is the 90 days before `until`, or before now when `until` is in the future. */
function rangeOf(
  since: Date | null,
  until: Date | null,
  nowMs: number,
): { readonly since: Date; readonly until: Date } {
  const end = until ?? new Date(nowMs)
  return { since: since ?? new Date(Math.max(FIRST_MS, Math.min(end.getTime(), nowMs) - DEFAULT_MS)), until: end }
}

/** The newest import of a form. Refusals: LEAD_PAGE_NOT_FOUND, BACKFILL_NOT_FOUND. */
export async function readBackfill(
  ports: LeadPorts,
  scope: LeadPageScope,
  pageId: string,
  formId: string,
): Promise<Outcome<LeadBackfill>> {
  const page = await findPage(ports, scope, pageId)
  if (!page.ok) return page
  const newest = await ports.leadBackfills.newest(scope.tenantId, pageId, formId)
  return newest ? succeed(newest) : fail(refuse('BACKFILL_NOT_FOUND', 'No leads of this form were imported'))
}
