import type { KeyStore } from '../../ports/stores/key-store.ts'
import type { LoginFailureStore } from '../../ports/stores/login-failure-store.ts'
import type { UserStore } from '../../ports/stores/user-store.ts'
import type { WebSessionStore } from '../../ports/stores/web-session-store.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Passwords } from '../../ports/passwords.ts'

/** The ports of dashboard sessions; each command takes all of them. */
export interface SessionPorts {
  readonly webSessions: WebSessionStore
  readonly loginFailures: LoginFailureStore
  readonly passwords: Passwords
  /** Read for people who sign in with a password. */
  readonly users: UserStore
  /** Read for tenants that sign in with their key. */
  readonly keys: KeyStore
  /** Makes every node forget a session that is over; its realtime tokens that opened nothing yet die, too. */
  readonly revokeCallers: (id: string) => Promise<void>
  /** Public base address of the pages, without a trailing slash. */
  readonly baseUrl: string
  readonly metrics: Metrics
}
