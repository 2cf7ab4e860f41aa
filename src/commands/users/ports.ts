import type { UserId } from '../../domain/ids.ts'
import type { UserStore } from '../../ports/stores/user-store.ts'

/** The ports of people; each command takes all of them. */
export interface UserPorts {
  readonly users: UserStore
  /** Makes every node forget the clients that the person granted something. */
  readonly revokeCallers: (id: UserId) => Promise<void>
}
