import type { Store } from '../store/store.ts'
import { NumberSession, type SessionParts } from './number-session.ts'

/** The sessions of an engine, one for each number; made when a gateway first asks for it. */
export interface Sessions {
  /** Rejects when the number's part of the store cannot be read. */
  of(numberId: string): Promise<NumberSession>
  /** Forgets an idle session that no gateway is connected to; its store stays. */
  release(numberId: string): void
  all(): Iterable<NumberSession>
  end(): void
}

export function createSessions(store: Store, parts: SessionParts): Sessions {
  const sessions = new Map<string, NumberSession>()
  return {
    async of(numberId) {
      const kept = await store.number(numberId)
      const session = sessions.get(numberId) ?? new NumberSession(numberId, kept, parts)
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
