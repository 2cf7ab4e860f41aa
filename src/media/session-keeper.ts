import { thrownFields } from '../domain/thrown.ts'
import type { CallId, RealtimeSessionId } from '../domain/ids.ts'
import type { RealtimeSessionState } from '../domain/realtime-session.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { MediaPort } from '../ports/media.ts'
import type { CallSessionStore } from '../ports/stores/call-session-store.ts'

/** Our choice, in ms: the pause after a state that could not be stored. */
const PAUSE_MS = 1_000
/** Our choice: most sessions whose state waits to be stored; of more the oldest is given up. */
const MOST_WAITING = 10_000

export interface SessionKeeperDeps {
  readonly media: Pick<MediaPort, 'onEvent'>
  readonly callSessions: Pick<CallSessionStore, 'save'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Stores how realtime sessions stand, one after another, each as it stands last. While the database is away they wait;
 * what this node loses is told again to the next owner of the number.
 */
export function keepSessions({ media, callSessions, clock, log }: SessionKeeperDeps): void {
  const waiting = new Map<RealtimeSessionId, { readonly callId: CallId; readonly session: RealtimeSessionState }>()
  let isStoring = false
  async function store(): Promise<void> {
    isStoring = true
    for (const [id, told] of waiting) {
      try {
        await callSessions.save(told.callId, told.session)
      } catch (error) {
        log.warn(thrownFields(error), 'how a realtime session stands could not be stored; it is tried again')
        clock.after(PAUSE_MS, () => void store())
        return
      }
      // A newer state may have come meanwhile.
      if (waiting.get(id) === told) waiting.delete(id)
    }
    isStoring = false
    if (waiting.size > 0) void store()
  }
  media.onEvent((event) => {
    if (event.type !== 'session') return
    waiting.set(event.session.id, event)
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MOST_WAITING) break
      waiting.delete(oldest)
    }
    if (!isStoring) void store()
  })
}
