import { createKeys } from '../commands/keys/keys.ts'
import { createSessions } from '../commands/sessions/sessions.ts'
import { createUsers } from '../commands/users/users.ts'
import { createCallerCache } from '../http/request/caller-cache.ts'
import { ScryptPasswords } from '../process/passwords.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { Cluster } from './open-cluster.ts'

/** Our choice: a caller is remembered for this many ms; a rotation drops it at once. */
const CALLER_CACHE_MS = 2_000

interface PeopleNeeds extends Pick<Cluster, 'broadcast'> {
  readonly stores: Stores
  /** Public base of the pages, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * Opens the commands on those who act for a tenant: people, their sessions, keys. It also keeps the cache of callers by
 * credential, for the REST layer and for whatever ends what a credential opens.
 */
export function openPeople({ clock, metrics }: Core, { stores, broadcast, baseUrl }: PeopleNeeds) {
  const callerCacheMs = CALLER_CACHE_MS
  const callers = createCallerCache({ broadcast, clock, callerCacheMs })
  const ports = { ...stores, revokeCallers: callers.revoke, passwords: new ScryptPasswords(), metrics, baseUrl }
  return {
    callers,
    callerCacheMs,
    keyCommands: createKeys(ports),
    userCommands: createUsers(ports),
    sessionCommands: createSessions(ports),
  }
}
