import type { Outcome } from '../../domain/errors.ts'

/** The webhooks of the number's account. */
export interface SubscriptionPort {
  /**
   * Subscribes the service's app to the account's webhooks, delivered to `callbackUrl` and verified by `verifyToken`.
   * OFFICIAL_CREDENTIALS_REJECTED with upstream's reason when it refuses.
   */
  subscribe(callbackUrl: string, verifyToken: string): Promise<Outcome<null>>
}
