import { HeldElsewhere } from '../store/hold.ts'
import type { NumberStore } from '../store/number-store.ts'
import type { Store } from '../store/store.ts'
import { NumberSession, type SessionParts } from './number-session.ts'

/** The sessions of an engine, one for each number that it holds; made when a gateway first asks for it. */
export interface Sessions {
  /**
   * Gives the session of a number, taking the number first. Rejects with HeldElsewhere while another engine holds it,
   * with Draining once this one hands its numbers over, and with another error when the store cannot be read.
   */
  of(numberId: string): Promise<NumberSession>
  /** Forgets an idle session that no gateway is connected to, and gives its number back; its store stays. */
  release(numberId: string): void
  /** The session of a number that is here; null without one. */
  find(numberId: string): NumberSession | null
  all(): Iterable<NumberSession>
  readonly count: number
  /** From now on no number is taken. */
  drain(): void
  /** Hands one number over: its device disconnects, all is stored, the number is free, then its gateway is told. */
  handOver(session: NumberSession): Promise<void>
  /** Ends all sessions. Resolves once the network has no socket of theirs any more. */
  end(): Promise<void>
}

/** The engine ends, and takes no number any more. */
export class Draining extends Error {
  constructor() {
    super('the engine ends')
    this.name = 'Draining'
  }
}

export function createSessions(store: Store, parts: SessionParts): Sessions {
  const sessions = new Map<string, NumberSession>()
  let isDraining = false

  /** Makes the session of a number, which ends with the hold of its store. */
  function make(numberId: string, kept: NumberStore): NumberSession {
    const session = new NumberSession(numberId, kept, parts)
    sessions.set(numberId, session)
    kept.hold.over.addEventListener('abort', () => {
      session.log.info({ why: String(kept.hold.over.reason?.message) }, 'the number is not held any more')
      if (sessions.get(numberId) === session) sessions.delete(numberId)
      // The gateway is to ask again, of whichever engine has the number then.
      const tell = session.outbox.takeAway()
      void session.end()
      tell()
    })
    return session
  }

  return {
    async of(numberId) {
      const known = sessions.get(numberId)
      if (known) return known
      if (isDraining) throw new Draining()
      const kept = await store.number(numberId)
      if (kept.hold.over.aborted) throw new HeldElsewhere(null, 0)
      return sessions.get(numberId) ?? make(numberId, kept)
    },
    release(numberId) {
      const session = sessions.get(numberId)
      if (session?.isIdle !== true || session.outbox.isAttached) return
      sessions.delete(numberId)
      void session.store.settled().then(() => {
        // A gateway that came meanwhile has made a session on the same hold.
        if (!sessions.has(numberId)) void session.store.hold.release()
      })
    },
    find: (numberId) => sessions.get(numberId) ?? null,
    all: () => sessions.values(),
    get count() {
      return sessions.size
    },
    drain() {
      isDraining = true
    },
    async handOver(session) {
      const tell = session.outbox.takeAway()
      await session.end()
      await session.store.settled()
      await session.store.hold.release()
      tell()
    },
    async end() {
      await Promise.all([...sessions.values()].map((session) => session.end()))
    },
  }
}
