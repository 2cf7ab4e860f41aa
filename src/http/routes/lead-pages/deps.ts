import type { LeadCommands } from '../../../commands/leads/leads.ts'
import type { Caller } from '../../../domain/caller.ts'
import { fail, refuse, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { LeadPageScope } from '../../../ports/stores/lead-page-store.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'

/** What the routes of Pages use. */
export interface LeadPageDeps {
  readonly leadCommands: LeadCommands
  readonly numbers: Pick<NumberStore, 'find'>
  /** Public base URL of REST, where upstream delivers, without a trailing slash. */
  readonly baseUrl: string
}

/** The tenant's Pages, or those of the number that the header names. */
export function scopeOf(caller: Caller, narrowedTo: NumberId | null): LeadPageScope {
  return { tenantId: caller.tenantId, numberId: narrowedTo }
}

/**
 * The number that body or header names; the two must agree, as for webhooks. Refusals: NUMBER_REQUIRED,
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
