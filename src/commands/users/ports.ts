import type { UserId } from '../../domain/ids.ts'
import type { UserStore } from '../../ports/stores/user-store.ts'

/** All that people stand on: each verb takes it whole. */
export interface UserPorts {
  readonly users: UserStore
  /** Forgets on every node what clients may do that the person granted something to. */
  readonly revokeCallers: (id: UserId) => Promise<void>
}
