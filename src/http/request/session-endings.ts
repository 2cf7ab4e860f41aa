import type { WebSessionId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { roleOf, type WebSession } from '../../domain/web-session.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { WebSessionStore } from '../../ports/stores/web-session-store.ts'
import { KEY_ROTATED } from './caller-cache.ts'
import { Watched } from './watched.ts'

export interface SessionEndingDeps {
  readonly webSessions: Pick<WebSessionStore, 'roles'>
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
}

/** Why what goes on with a session ends: the session is over, or its person has another role now. */
export type SessionOver = 'EXPIRED' | 'REVOKED' | 'ROLE_CHANGED'

/** Watches live sessions of the dashboard. */
export interface SessionEndings {
  /** Calls `over` once when the session ends or its role changes. Returns a function that stops watching. */
  watch(session: Pick<WebSession, 'id' | 'user' | 'expiresAt'>, over: (reason: SessionOver) => void): () => void
}

/**
 * Makes it. Whatever ends sessions, or changes what they may do, tells all nodes of callers to forget; they look at the
 * sessions then.
 */
export function createSessionEndings({ webSessions, broadcast, clock, log }: SessionEndingDeps): SessionEndings {
  const watched = new Watched<WebSessionId, Role>({
    read: (ids) => webSessions.roles(ids),
    name: 'sessions of the dashboard',
    clock,
    log,
  })
  broadcast.subscribe(KEY_ROTATED, () => watched.lookNow())
  return {
    watch(session, over) {
      const opened = roleOf(session)
      return watched.add(session.id, (role) => {
        if (role === opened) return false
        over(role !== undefined ? 'ROLE_CHANGED' : session.expiresAt.getTime() <= clock.now() ? 'EXPIRED' : 'REVOKED')
        return true
      })
    },
  }
}
