import type { NumberId } from '../../domain/ids.ts'

/** Asks upstream whether it lets the account of a number in; null when it could not be asked. Never throws. */
export type AskLetIn = () => Promise<boolean | null>

/**
 * Which way the MARKETING templates of numbers go ([message-verbs.delivery.2]). Never throws: in doubt they go the way
 * of all messages.
 */
export interface MarketingDoor {
  /** True when a template that goes out now goes to upstream's endpoint for them. `ask` is called when that is due. */
  isOpen(numberId: NumberId, ask: AskLetIn): Promise<boolean>
  /** Tells that upstream refused the number's account there. */
  refused(numberId: NumberId): Promise<void>
}
