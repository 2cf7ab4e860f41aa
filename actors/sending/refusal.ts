import type { MessageFailure } from '../../src/domain/message.ts'
import { templateRefusalCode } from '../../src/domain/template-refused.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { TellTemplateRefused, TemplateRefused } from '../../src/ports/template-refusals.ts'

/** Of a number, and who hears that upstream refused a message of it for its template. Nobody waits for that. */
export interface RefusalPorts {
  readonly fence: Fence
  readonly templateRefused: TellTemplateRefused
}

/** Tells of a failure that is the template's; of others it says nothing. */
export function tellRefusal(
  { fence: { numberId }, templateRefused }: RefusalPorts,
  failure: MessageFailure,
  of: Pick<TemplateRefused, 'tenantId' | 'messageId'>,
): void {
  const code = templateRefusalCode(failure)
  if (code !== null) templateRefused({ ...of, numberId, code })
}
