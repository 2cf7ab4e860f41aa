import { GraphError } from '../http/graph-error.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import { peopleOf } from '../registry/tiers.ts'

const DAY_MS = 86_400_000

/** People whom accounts reached outside their windows within the last 24 h, by the platform's clock. */
export class PeopleReached {
  readonly #now: () => number
  /** When each user was last reached, in ms since the epoch, by account. */
  readonly #accounts = new Map<string, Map<string, number>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a user, or refuses one more than the messaging limit of a number names that has it enforced. */
  take({ accountId, messagingLimitTier, isTierEnforced }: OfficialNumber, user: string): void {
    const now = this.#now()
    const users = this.#accounts.get(accountId) ?? new Map<string, number>()
    this.#accounts.set(accountId, users)
    for (const [reached, atMs] of users) if (atMs <= now - DAY_MS) users.delete(reached)
    if (isTierEnforced && !users.has(user) && users.size >= peopleOf(messagingLimitTier))
      throw new GraphError(131048, {
        details:
          'Message failed to send because there are restrictions on how many messages can be sent from this phone number.',
      })
    users.set(user, now)
  }

  clear(): void {
    this.#accounts.clear()
  }
}
