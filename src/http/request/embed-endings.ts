import type { EmbedOver } from '../../domain/embed-session.ts'
import type { EmbedSessionId } from '../../domain/ids.ts'
import { unlessAway } from '../../domain/store-away.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { EmbedSessionStore, EmbedState } from '../../ports/stores/embed-session-store.ts'
import { KEY_ROTATED } from './caller-cache.ts'

/** Broadcast topic. Its text is the id of the session that was revoked. */
export const EMBED_ENDED = 'embed.ended'

/**
 * our choice, in ms: the pause between two queries while a session is watched, so that a node that hears nothing of an
 * end still follows within 2 s ([embeds.refresh.4]).
 */
const LOOK_MS = 1_000

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

interface Watched {
  readonly watchers: Set<EmbedWatcher>
  expiresAtMs: number
}

/** Makes it. It listens for ends that other nodes report, rotated keys and removed numbers among them. */
export function createEmbedEndings(deps: EmbedEndingDeps): EmbedEndings {
  const looking = new Looking(deps)
  deps.broadcast.subscribe(EMBED_ENDED, () => looking.lookNow())
  deps.broadcast.subscribe(KEY_ROTATED, () => looking.lookNow())
  return {
    watch: (session, watcher) => looking.add(session, watcher),
    async tell(id) {
      looking.lookNow()
      await deps.broadcast.publish(EMBED_ENDED, id)
    },
  }
}

/** The sessions that are watched on this node. One query looks at them all. */
class Looking {
  readonly #deps: EmbedEndingDeps
  readonly #watched = new Map<EmbedSessionId, Watched>()
  #timer: Timer | null = null
  #isLooking = false
  /** Set when an end was reported during a look, which may have run too early to see it. */
  #isDueAgain = false

  constructor(deps: EmbedEndingDeps) {
    this.#deps = deps
  }

  add({ id, expiresAt }: { readonly id: EmbedSessionId; readonly expiresAt: Date }, watcher: EmbedWatcher): () => void {
    const watched = this.#watched.get(id) ?? { watchers: new Set<EmbedWatcher>(), expiresAtMs: expiresAt.getTime() }
    watched.watchers.add(watcher)
    this.#watched.set(id, watched)
    this.#lookLater()
    return () => {
      watched.watchers.delete(watcher)
      if (watched.watchers.size === 0 && this.#watched.get(id) === watched) this.#watched.delete(id)
    }
  }

  lookNow(): void {
    if (this.#watched.size === 0) return
    if (this.#isLooking) this.#isDueAgain = true
    else void this.#look()
  }

  #lookLater(): void {
    if (this.#timer || this.#isLooking || this.#watched.size === 0) return
    this.#timer = this.#deps.clock.after(LOOK_MS, () => void this.#look())
  }

  async #look(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = null
    this.#isLooking = true
    do {
      this.#isDueAgain = false
      await this.#lookOnce()
    } while (this.#isDueAgain)
    this.#isLooking = false
    this.#lookLater()
  }

  async #lookOnce(): Promise<void> {
    const asked = [...this.#watched]
    if (asked.length === 0) return
    try {
      const states = new Map(
        (await this.#deps.embedSessions.states(asked.map(([id]) => id))).map((state) => [state.id, state]),
      )
      for (const [id, watched] of asked) this.#settle(id, watched, states.get(id))
    } catch (error) {
      unlessAway(error, () =>
        this.#deps.log.error(
          { error: String(error) },
          'embed sessions could not be checked for their end; they are again shortly',
        ),
      )
    }
  }

  /** Tells the watchers of one session how it stands. A session that is missing was purged, or its tenant was. */
  #settle(id: EmbedSessionId, watched: Watched, state: EmbedState | undefined): void {
    const over = state ? state.over : 'REVOKED'
    if (over !== null) {
      if (this.#watched.get(id) === watched) this.#watched.delete(id)
      for (const watcher of watched.watchers) watcher.over(over)
      return
    }
    if (!state || state.expiresAt.getTime() === watched.expiresAtMs) return
    watched.expiresAtMs = state.expiresAt.getTime()
    for (const watcher of watched.watchers) watcher.moved(state.expiresAt)
  }
}
