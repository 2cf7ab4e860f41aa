import type { EmbedOver } from '../../domain/embed-session.ts'
import type { EmbedSessionId } from '../../domain/ids.ts'
import { unlessAway } from '../../domain/store-away.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { EmbedSessionStore, EmbedState } from '../../ports/stores/embed-session-store.ts'
import { KEY_ROTATED } from './caller-cache.ts'

/** Broadcast topic; the text is the id of the session that was revoked. */
export const EMBED_ENDED = 'embed.ended'

/**
 * Our choice: one query a second while anything is watched, so that who does not hear of an end follows within 2 s
 * (contract 17, Death).
 */
const LOOK_MS = 1_000

export interface EmbedEndingDeps {
  readonly embedSessions: Pick<EmbedSessionStore, 'states'>
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
}

/** Whoever goes on for as long as a session lives, such as a stream. */
export interface EmbedWatcher {
  /** A refresh gave it more time, on whichever node. */
  moved(expiresAt: Date): void
  /** It is over; nothing more is told. */
  over(reason: EmbedOver): void
}

/** Tells what goes on with a session how that stands. */
export interface EmbedEndings {
  /** Watches a live session; answers how to stop. */
  watch(session: { readonly id: EmbedSessionId; readonly expiresAt: Date }, watcher: EmbedWatcher): () => void
  /** Has every node look at a session that was revoked. Never throws. */
  tell(id: string): Promise<void>
}

interface Watched {
  readonly watchers: Set<EmbedWatcher>
  expiresAtMs: number
}

/** Makes it; it listens for ends that other nodes tell of, rotated keys and removed numbers among them. */
export function createEmbedEndings(deps: EmbedEndingDeps): EmbedEndings {
  const looking = new Looking(deps)
  deps.broadcast.subscribe(EMBED_ENDED, () => looking.lookNow())
  deps.broadcast.subscribe(KEY_ROTATED, () => looking.lookNow())
  return {
    watch: (session, watcher) => looking.add(session, watcher),
    async tell(id) {
      looking.lookNow()
      try {
        await deps.broadcast.publish(EMBED_ENDED, id)
      } catch {
        deps.log.warn(
          { topic: EMBED_ENDED },
          'other nodes were not told that an embed session ended; they see it by themselves',
        )
      }
    },
  }
}

/** The sessions that are watched on this node, looked at together: one query, however many there are. */
class Looking {
  readonly #deps: EmbedEndingDeps
  readonly #watched = new Map<EmbedSessionId, Watched>()
  #timer: Timer | null = null
  #isLooking = false
  /** Something was told of while a look was under way, which may have come too early for it. */
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
      unlessAway(error, () => this.#deps.log.error({ error: String(error) }, 'embed sessions could not be looked at'))
    }
  }

  /** One that is not there any more was purged, or its tenant was. */
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
