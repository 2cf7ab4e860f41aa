import type { KeyStore } from '../../ports/stores/key-store.ts'
import type { LoginFailureStore } from '../../ports/stores/login-failure-store.ts'
import type { UserStore } from '../../ports/stores/user-store.ts'
import type { WebSessionStore } from '../../ports/stores/web-session-store.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Passwords } from '../../ports/passwords.ts'

/** All that sessions of the dashboard stand on: each verb takes it whole. */
export interface SessionPorts {
  readonly webSessions: WebSessionStore
  readonly loginFailures: LoginFailureStore
  readonly passwords: Passwords
  /** For who signs in with a password. */
  readonly users: UserStore
  /** For who signs in with a key. */
  readonly keys: KeyStore
  /** Forgets on every node a session that is over: realtime tokens of it that opened nothing yet die. */
  readonly revokeCallers: (id: string) => Promise<void>
  /** Public base of the pages, without a trailing slash. */
  readonly baseUrl: string
  readonly metrics: Metrics
}
