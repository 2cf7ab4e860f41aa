import { signal } from '@preact/signals'
import { beginningOf } from '../../../src/domain/characters.ts'
import { RequestFailure } from '../api/failure.ts'
import type { Found, Requests } from '../api/requests.ts'

/** Our choice, in ms: the pause in typing after which the search starts. */
const TYPED_MS = 250
/** [embeds.inbox-routes.10]: the shortest and the longest `q`, in characters. */
const LEAST = 2
export const MOST = 100

/** `short`: too few characters for a search. */
export type SearchState =
  | { readonly at: 'none' }
  | { readonly at: 'short' }
  | { readonly at: 'searching' }
  | { readonly at: 'found'; readonly found: Found }
  | { readonly at: 'failed' }

/** The search field and its results; only the latest search counts. */
export class Search {
  readonly text = signal('')
  readonly state = signal<SearchState>({ at: 'none' })
  readonly #requests: Requests
  readonly #conversationId: string | null
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | null = null

  /** `conversationId` is the only conversation that is searched; null for all. */
  constructor(requests: Requests, conversationId: string | null = null) {
    this.#requests = requests
    this.#conversationId = conversationId
  }

  type(text: string, numberId: string | null): void {
    this.text.value = text
    clearTimeout(this.#timer)
    this.#running?.abort()
    const q = beginningOf(text.trim(), MOST)
    if ([...q].length < LEAST) {
      this.state.value = { at: q === '' ? 'none' : 'short' }
      return
    }
    this.state.value = { at: 'searching' }
    this.#timer = setTimeout(() => void this.#search(q, numberId), TYPED_MS)
  }

  async #search(q: string, numberId: string | null): Promise<void> {
    const running = new AbortController()
    this.#running = running
    try {
      const found = await this.#requests.search(q, { numberId, conversationId: this.#conversationId }, running.signal)
      if (!running.signal.aborted) this.state.value = { at: 'found', found }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (!running.signal.aborted) this.state.value = { at: 'failed' }
    }
  }
}
