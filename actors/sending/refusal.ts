import type { MessageFailure } from '../../src/domain/message.ts'
import { templateRefusalCode } from '../../src/domain/template-refused.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { TellTemplateRefused, TemplateRefused } from '../../src/ports/template-refusals.ts'

/**
 * The number, and the function that is called when upstream refuses a message for its template. Nobody waits for it.
 */
export interface RefusalPorts {
  readonly fence: Fence
  readonly templateRefused: TellTemplateRefused
}

/** Reports a failure that is the template's; other failures are ignored. */
export function tellRefusal(
  { fence: { numberId }, templateRefused }: RefusalPorts,
  failure: MessageFailure,
  of: Pick<TemplateRefused, 'tenantId' | 'messageId'>,
): void {
  const code = templateRefusalCode(failure)
  if (code !== null) templateRefused({ ...of, numberId, code })
}
