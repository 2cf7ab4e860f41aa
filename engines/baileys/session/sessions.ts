import type { Store } from '../store/store.ts'
import { NumberSession, type SessionParts } from './number-session.ts'

/** The sessions of an engine, one for each number; made when a gateway first asks for it. */
export interface Sessions {
  of(numberId: string): NumberSession
  /** Forgets an idle session that no gateway is connected to; its store stays. */
  release(numberId: string): void
  all(): Iterable<NumberSession>
  end(): void
}

export function createSessions(store: Store, parts: SessionParts): Sessions {
  const sessions = new Map<string, NumberSession>()
  return {
    of(numberId) {
      const known = sessions.get(numberId)
      if (known) return known
      const session = new NumberSession(numberId, store.number(numberId), parts)
      sessions.set(numberId, session)
      return session
    },
    release(numberId) {
      const session = sessions.get(numberId)
      if (session?.isIdle && !session.outbox.isAttached) sessions.delete(numberId)
    },
    all: () => sessions.values(),
    end() {
      for (const session of sessions.values()) session.end()
    },
  }
}
