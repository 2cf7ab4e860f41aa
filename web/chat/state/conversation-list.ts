import { signal } from '@preact/signals'
import { RequestFailure } from '../api/failure.ts'
import type { Requests } from '../api/requests.ts'
import { unreadOf, withConversation, withPage } from '../model/conversations.ts'
import type { ConversationList, ListFilter } from '../model/conversations.ts'
import type { Conversation } from '../model/message.ts'

/** The list of conversations, and every conversation that was read or told, listed or not. */
export class Conversations {
  readonly filter = signal<ListFilter>({ show: 'all', numberId: null })
  readonly list = signal<ConversationList | null>(null)
  readonly isLoading = signal(false)
  readonly hasFailed = signal(false)
  readonly #known = signal<ReadonlyMap<string, Conversation>>(new Map())
  readonly #requests: Requests
  #reading: AbortController | null = null
  /** Conversations told while a page was being read; they are applied again after it, because the page may be older. */
  #meanwhile: { readonly told: Conversation; readonly openId: string | null }[] = []

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** The latest known version; null when the conversation is unknown. */
  find(id: string | null): Conversation | null {
    return id === null ? null : (this.#known.value.get(id) ?? null)
  }

  /** What a conversation counts for among unread messages; 0 when it is unknown. */
  unreadOf(id: string): number {
    const known = this.find(id)
    return known ? unreadOf(known) : 0
  }

  /** Reads the first page again. The old list stays until the answer is there. */
  async reload(): Promise<void> {
    this.#reading?.abort()
    await this.#read(null)
  }

  async readOn(): Promise<void> {
    const before = this.list.value?.nextBefore ?? null
    if (before !== null && !this.isLoading.value) await this.#read(before)
  }

  async setFilter(filter: ListFilter): Promise<void> {
    this.filter.value = filter
    this.list.value = null
    await this.reload()
  }

  /** Takes the version of a conversation that was told or read by itself. */
  take(told: Conversation, openId: string | null): void {
    if (this.isLoading.value) this.#meanwhile.push({ told, openId })
    this.#known.value = new Map(this.#known.value).set(told.id, told)
    if (this.list.value) this.list.value = withConversation(this.list.value, told, this.filter.value, openId)
  }

  /** The conversation, read if it is unknown; null when the session does not include it, or reading failed. */
  async get(id: string): Promise<Conversation | null> {
    const known = this.find(id)
    if (known) return known
    try {
      const conversation = await this.#requests.conversation(id)
      this.#known.value = new Map(this.#known.value).set(id, conversation)
      return conversation
    } catch (error) {
      if (error instanceof RequestFailure) return null
      throw error
    }
  }

  async #read(before: string | null): Promise<void> {
    const reading = new AbortController()
    this.#reading = reading
    this.isLoading.value = true
    this.#meanwhile = []
    this.hasFailed.value = false
    try {
      const page = await this.#requests.conversations(this.filter.value, before, reading.signal)
      if (reading.signal.aborted) return
      this.#known.value = new Map([...this.#known.value, ...page.items.map((item) => [item.id, item] as const)])
      this.list.value = before === null ? page : withPage(this.list.value ?? { items: [], nextBefore: null }, page)
      for (const { told, openId } of this.#meanwhile.splice(0)) this.take(told, openId)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (!reading.signal.aborted) this.hasFailed.value = true
    } finally {
      if (this.#reading === reading) this.isLoading.value = false
    }
  }
}
