import type { EmbedOver } from '../../domain/embed-session.ts'
import type { EmbedSessionId } from '../../domain/ids.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { EmbedSessionStore, EmbedState } from '../../ports/stores/embed-session-store.ts'
import { KEY_ROTATED } from './caller-cache.ts'
import { Watched, type Seen } from './watched.ts'

/** Broadcast topic. Its text is the id of the session that was revoked. */
export const EMBED_ENDED = 'embed.ended'

export interface EmbedEndingDeps {
  readonly embedSessions: Pick<EmbedSessionStore, 'states'>
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
}

/** What goes on as long as a session lives, such as a stream. */
export interface EmbedWatcher {
  /** A refresh on some node moved the end of the session to `expiresAt`. */
  moved(expiresAt: Date): void
  /** The session is over; nothing is called after that. */
  over(reason: EmbedOver): void
}

/** Watches live sessions, and tells their watchers of refreshes and ends. */
export interface EmbedEndings {
  /** Watches a live session. Returns a function that stops it. */
  watch(session: { readonly id: EmbedSessionId; readonly expiresAt: Date }, watcher: EmbedWatcher): () => void
  /** Makes every node look at a session that was revoked. Never throws. */
  tell(id: string): Promise<void>
}

/** Makes it. It listens for ends that other nodes report, rotated keys and removed numbers among them. */
export function createEmbedEndings({ embedSessions, broadcast, clock, log }: EmbedEndingDeps): EmbedEndings {
  const watched = new Watched<EmbedSessionId, EmbedState>({
    read: async (ids) => new Map((await embedSessions.states(ids)).map((state) => [state.id, state])),
    name: 'embed sessions',
    clock,
    log,
  })
  broadcast.subscribe(EMBED_ENDED, () => watched.lookNow())
  broadcast.subscribe(KEY_ROTATED, () => watched.lookNow())
  return {
    watch: ({ id, expiresAt }, watcher) => watched.add(id, seenBy(watcher, expiresAt.getTime())),
    async tell(id) {
      watched.lookNow()
      await broadcast.publish(EMBED_ENDED, id)
    },
  }
}

/** Tells a watcher how its session stands. A session that is missing was purged, or its tenant was. */
function seenBy(watcher: EmbedWatcher, expiresAtMs: number): Seen<EmbedState> {
  let knownMs = expiresAtMs
  return (state) => {
    const over = state ? state.over : 'REVOKED'
    if (over !== null) watcher.over(over)
    else if (state && state.expiresAt.getTime() !== knownMs) {
      knownMs = state.expiresAt.getTime()
      watcher.moved(state.expiresAt)
    }
    return over !== null
  }
}
