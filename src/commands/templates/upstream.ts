import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { submitReasonOf } from '../../domain/template-upstream.ts'
import type { SubmitReason } from '../../domain/template-upstream.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'
import type { MarksDeps } from '../official/ask.ts'

export interface UpstreamDeps extends MarksDeps {
  readonly official: Pick<OfficialStore, 'credentials'>
  readonly officialOf: OfficialOf
}

/** Templates upstream, as one number may ask for them. */
export interface NumberTemplates {
  readonly port: TemplatesPort
  readonly accountId: string
  readonly hasAppId: boolean
}

/** Refusal: NUMBER_NOT_FOUND, it is gone. */
export async function templatesOf(deps: UpstreamDeps, number: Pick<NumberRef, 'id' | 'tenantId'>): Promise<Outcome<NumberTemplates>> {
  const credentials = await deps.official.credentials(number.tenantId, number.id)
  if (!credentials) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  return succeed({ port: deps.officialOf(credentials).templates, accountId: credentials.accountId, hasAppId: credentials.appId !== null })
}

/** The refusal of a creation or an edit, in upstream's words (contract 10, Create). */
export function submitRefusal({ upstreamCode, upstreamSubcode, upstreamMessage }: UpstreamNo, reason: SubmitReason = submitReasonOf(upstreamCode, upstreamSubcode)): Refusal {
  return refuse('OFFICIAL_TEMPLATE_SUBMIT_FAILED', upstreamMessage || 'The official platform refused the template.', { upstreamCode, upstreamSubcode, upstreamMessage, reason })
}
