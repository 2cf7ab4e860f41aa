import type { MessageId, NumberId, TenantId } from '../domain/ids.ts'

/** Upstream refused a message for its template, in the answer to a send or later in a status. */
export interface TemplateRefused {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** The message's service id, else upstream's; MessageStore.find takes both. */
  readonly messageId: MessageId | string
  /**
   * Upstream's code: 132001 no such template in the language or not approved, 132015 paused, 132016 disabled
   * ([templates.send-failures.13]).
   */
  readonly code: number
}

/** Hears of such a refusal, once or more. Returns at once, never throws. */
export type TellTemplateRefused = (refused: TemplateRefused) => void
