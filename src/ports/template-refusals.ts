import type { MessageId, NumberId, TenantId } from '../domain/ids.ts'

/** Upstream refused a message for its template, in the answer to a send or in a status later. */
export interface TemplateRefused {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** Of the message: our id, else upstream's; as MessageStore.find takes it. */
  readonly messageId: MessageId | string
  /**
   * Upstream's: 132001 no such template in the language or not approved, 132015 paused, 132016 disabled (contract 10,
   * Send).
   */
  readonly code: number
}

/** Is told of it, once or more. Returns at once, never throws. */
export type TellTemplateRefused = (refused: TemplateRefused) => void
