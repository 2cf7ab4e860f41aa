import { refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { submitReasonOf } from '../../domain/template-upstream.ts'
import type { SubmitReason } from '../../domain/template-upstream.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'
import { upstreamOfNumber } from '../official/ask.ts'
import type { TemplatePorts } from './ports.ts'

/** The templates upstream, as one number may ask for them. */
export interface NumberTemplates {
  readonly port: TemplatesPort
  readonly accountId: string
  readonly hasAppId: boolean
}

/** The port of a number's templates. Refusal: NUMBER_NOT_FOUND when the number was removed. */
export async function templatesOf(
  ports: TemplatePorts,
  number: Pick<NumberRef, 'id' | 'tenantId'>,
): Promise<Outcome<NumberTemplates>> {
  const found = await upstreamOfNumber(ports, number)
  if (!found.ok) return found
  const {
    upstream,
    credentials: { accountId, appId },
  } = found.value
  return succeed({ port: upstream.templates, accountId, hasAppId: appId !== null })
}

/** The refusal of a creation or an edit, in upstream's words ([templates.create.2]). */
export function submitRefusal(
  { upstreamCode, upstreamSubcode, upstreamMessage }: UpstreamNo,
  reason: SubmitReason = submitReasonOf(upstreamCode, upstreamSubcode),
): Refusal {
  return refuse('OFFICIAL_TEMPLATE_SUBMIT_FAILED', upstreamMessage || 'The official platform refused the template.', {
    upstreamCode,
    upstreamSubcode,
    upstreamMessage,
    reason,
  })
}
