import type { Caller } from '../../../domain/caller.ts'
import { fail, refuse, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { PageOf } from '../../../ports/official/pages.ts'
import type { LeadBackfillStore } from '../../../ports/stores/lead-backfill-store.ts'
import type { LeadPageScope, LeadPageStore } from '../../../ports/stores/lead-page-store.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import type { OfficialStore } from '../../../ports/stores/official-store.ts'
import type { TemplateStore } from '../../../ports/stores/template-store.ts'
import type { AppSecretCache } from '../lead-webhooks/app-secret-cache.ts'

/** What the routes of Pages use. */
export interface LeadPageDeps {
  readonly leadPages: LeadPageStore
  readonly leadBackfills: Pick<LeadBackfillStore, 'start' | 'newest' | 'formsWith'>
  readonly numbers: Pick<NumberStore, 'find'>
  readonly official: Pick<OfficialStore, 'credentials'>
  readonly templates: TemplateStore
  readonly pageOf: PageOf
  readonly appSecrets: AppSecretCache
  /** What upstream shows when it verifies the webhook of an app. */
  readonly pageVerifyToken: (appId: string) => string
  /** Leads, or a backfill, may be due: whoever works on them is woken. */
  readonly leadsDue: () => void
  readonly backfillsDue: () => void
  /** Public base of REST, without a trailing slash: where upstream delivers. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly log: Log
}

/** The tenant's Pages, or those of the number that the header names. */
export function scopeOf(caller: Caller, narrowedTo: NumberId | null): LeadPageScope {
  return { tenantId: caller.tenantId, numberId: narrowedTo }
}

/**
 * The number that body or header name; both have to agree, as those of webhooks. Refusals: NUMBER_REQUIRED,
 * NUMBER_MISMATCH.
 */
export function namedNumber(named: string | null | undefined, narrowedTo: NumberId | null): Outcome<string> {
  const wanted = named ?? narrowedTo
  if (wanted === null)
    return fail(refuse('NUMBER_REQUIRED', 'Name a number in channelNumberId or in the header x-channel-number-id'))
  return narrowedTo === null || narrowedTo === wanted
    ? succeed(wanted)
    : fail(refuse('NUMBER_MISMATCH', 'channelNumberId and x-channel-number-id name different numbers'))
}
