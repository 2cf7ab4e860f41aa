import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Template } from '../../domain/template.ts'
import type { InboxPorts } from './ports.ts'

/** Our choice: templates that one answer has at most. Others are found by a part of their name. */
const TEMPLATES = 200
const SENDABLE = { category: null, language: null, source: null, officialStatus: null, sendable: true }

/**
 * Templates of the number that can be sent ([embeds.inbox-routes.11]). `numberId`: null when the session has no number
 * left. `name`: a part of the names wanted. Refusal: NUMBER_NOT_FOUND.
 */
export async function sendableTemplates(
  { numbers, templates }: InboxPorts,
  tenantId: TenantId,
  numberId: NumberId | null,
  name: string | null,
): Promise<Outcome<readonly Template[]>> {
  const number = numberId && (await numbers.find(tenantId, numberId))
  if (!number) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed'))
  const { items } = await templates.list(number, { ...SENDABLE, name, page: 1, pageSize: TEMPLATES })
  return succeed(items)
}
