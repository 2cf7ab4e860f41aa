import { EMBED_API } from './client.ts'
import { isRefreshDue, lifeOf, refreshInMs, retryInMs } from './token-life.ts'
import type { ServerClock } from './server-clock.ts'
import type { TokenLife } from './token-life.ts'

export type Over = 'EXPIRED' | 'REVOKED'

export interface TokenEvents {
  /** The session has a new secret; the host needs it for a reload of the frame. */
  readonly refreshed: (token: string, expiresAt: string) => void
  /** Called once for each token: it is over and cannot be refreshed either. */
  readonly over: (reason: Over) => void
}

type Refreshed =
  | { readonly kind: 'fresh'; readonly token: string; readonly expiresAt: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'lost' }

/** Holds the token of the inbox. It is kept in this object alone: not in a storage, an address or an element. */
export class Token {
  readonly #events: TokenEvents
  readonly #clock: ServerClock
  #token = ''
  #life: TokenLife | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #refreshing: Promise<void> | null = null
  #isOver = true

  constructor(clock: ServerClock, events: TokenEvents) {
    this.#clock = clock
    this.#events = events
    const seen = (): void => {
      if (document.visibilityState === 'visible' && this.#life && isRefreshDue(this.#life, performance.now()))
        void this.refresh()
    }
    document.addEventListener('visibilitychange', seen)
    addEventListener('online', seen)
  }

  readonly current = (): string => this.#token

  get isOver(): boolean {
    return this.#isOver
  }

  /** Takes a token from the host; its life is unknown until `lives` is called. */
  take(token: string): void {
    clearTimeout(this.#timer)
    this.#token = token
    this.#life = null
    this.#isOver = false
  }

  /** Takes the expiry that the server named. */
  lives(expiresAt: string): void {
    this.#life = lifeOf(this.#token, expiresAt, this.#clock.now(), performance.now())
    this.#waitFor(refreshInMs(this.#life, performance.now()))
  }

  /** Called when an answer says that the session is over; ignored when the token was replaced meanwhile. */
  readonly refused = (code: string, token: string): void => {
    if (token === this.#token) this.end(code === 'TOKEN_EXPIRED' ? 'EXPIRED' : 'REVOKED')
  }

  end(reason: Over): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#events.over(reason)
  }

  /** Stops refreshing, without telling anybody. */
  leave(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** Replaces the token by a new one of the same session. Only one try runs at a time. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#tryRefresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #tryRefresh(): Promise<void> {
    const old = this.#token
    const answer = await this.#ask(old)
    if (this.#token !== old || this.#isOver) return
    if (answer.kind === 'refused') return this.refused(answer.code, old)
    if (answer.kind === 'lost') return this.#tryAgain()
    this.#token = answer.token
    this.lives(answer.expiresAt)
    this.#events.refreshed(answer.token, answer.expiresAt)
  }

  /** A network failure is no expiry: the refresh is tried again until the token itself expires. */
  #tryAgain(): void {
    const waitMs = this.#life && retryInMs(this.#life, performance.now())
    if (waitMs === null) this.end('EXPIRED')
    else this.#waitFor(waitMs)
  }

  async #ask(token: string): Promise<Refreshed> {
    try {
      const response = await fetch(`${EMBED_API}/refresh`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
      this.#clock.told(response.headers.get('date'))
      if (response.ok) return { kind: 'fresh', ...((await response.json()) as { token: string; expiresAt: string }) }
      if (response.status !== 401 && response.status !== 403) return { kind: 'lost' }
      const { code = '' } = (await response.json()) as { code?: string }
      return { kind: 'refused', code }
    } catch {
      return { kind: 'lost' }
    }
  }

  #waitFor(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.refresh(), ms)
  }
}
