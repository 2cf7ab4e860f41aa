import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { LeadPorts } from './ports.ts'
import { NO_SUCH_LEAD } from './read.ts'

/**
 * Erases a lead of the number with its event and that event's logs ([leads.erasing.1]); it never comes back
 * ([leads.fetching.1]). Refusal: LEAD_NOT_FOUND.
 */
export async function eraseLead({ leads }: LeadPorts, numberId: NumberId, id: string): Promise<Outcome<string>> {
  return (await leads.erase(numberId, id)) ? succeed(id) : fail(NO_SUCH_LEAD)
}
