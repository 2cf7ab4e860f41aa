import { batch, signal } from '@preact/signals'
import { RequestFailure } from '../api/failure.ts'
import type { Requests } from '../api/requests.ts'
import type { Message } from '../model/message.ts'
import { PAGE, threadOf, withMessages, withNewer, withNewest, withOlder, withStatus } from '../model/thread.ts'
import type { MessagePage, StatusChange, Thread } from '../model/thread.ts'
import { lookedForIn } from '../model/unread-line.ts'
import type { UnreadLine } from '../model/unread-line.ts'

export type Target = 'end' | { readonly messageId: string }
export type Reading = 'first' | 'older' | 'newer'
/** What was told of somebody who writes in a conversation ([embeds.typing.2]). */
export interface ToldTyping {
  readonly conversationId: string
  readonly state: 'typing' | 'recording' | 'paused'
}
type Place = Parameters<Requests['messages']>[1]
type Change = (thread: Thread) => Thread

/** [embeds.inbox-routes.6]: messages in the longest page. */
const MOST = 100
/** Our choice, in messages: how many are read before the first unread one. */
const READ_BEFORE = 10

/**
 * One open conversation. Everything written into it goes through this object, so that it reaches this conversation even
 * when another one is opened meanwhile.
 */
export class OpenThread {
  readonly conversationId: string
  readonly thread = signal<Thread | null>(null)
  readonly reading = signal<Reading | null>(null)
  readonly hasFailed = signal(false)
  /** The first message that was unread at opening; null when there was none, or it was not read yet. */
  readonly unreadFrom = signal<string | null>(null)
  /** Where to scroll: to a message of a search or a quote, or to the end; null when nowhere. */
  readonly target = signal<Target | null>(null)
  /** The last message that came in while the thread was open. */
  readonly arrived = signal<Message | null>(null)
  /** The last that was told of the person, anew each time; null when that is over. */
  readonly typing = signal<ToldTyping | null>(null)
  readonly #requests: Requests
  #unread: UnreadLine = { from: null, before: 0 }
  #meanwhile: Change[] = []
  #readings = 0

  constructor(requests: Requests, conversationId: string) {
    this.#requests = requests
    this.conversationId = conversationId
  }

  /**
   * Reads the newest messages, or those around one. `unread` is the number of unread messages, counted from the end.
   */
  async open(around: string | null = null, unread = 0): Promise<void> {
    const newest = unread > PAGE - READ_BEFORE ? { limit: MOST } : {}
    await this.#read('first', around === null ? newest : { around }, (page) => {
      this.#unread = { from: this.unreadFrom.value, before: around === null ? unread : 0 }
      this.#findUnread(page)
      this.target.value = around === null ? 'end' : { messageId: around }
      return threadOf(this.conversationId, page)
    })
  }

  /** Whether the first unread message lies before the part that was read. */
  get isUnreadBefore(): boolean {
    return this.#unread.before > 0
  }

  async readOlder(): Promise<void> {
    const first = this.thread.value?.messages[0]
    if (!first || !this.thread.value?.hasOlder) return
    await this.#read('older', { before: first.id }, (page, thread) => {
      this.#findUnread(page)
      return withOlder(thread, page)
    })
  }

  async readNewer(): Promise<void> {
    const last = this.thread.value?.messages.at(-1)
    if (last && this.thread.value?.hasNewer)
      await this.#read('newer', { after: last.id }, (page, thread) => withNewer(thread, page))
  }

  /** Scrolls to a message; when it was not read yet, the thread is read around it first. */
  async goTo(messageId: string): Promise<void> {
    if (this.thread.value?.messages.some(({ id }) => id === messageId)) this.target.value = { messageId }
    else await this.open(messageId)
  }

  /** Reads the thread around a UTC time, and scrolls to the first message from then on, or to the last before. */
  async goToTime(at: string): Promise<void> {
    await this.#read('first', { at }, (page) => {
      this.#unread = { from: this.unreadFrom.value, before: 0 }
      const drawn = page.messages.filter(({ type }) => type !== 'reaction')
      const goal = drawn.findLast(({ createdAt }) => createdAt >= at) ?? drawn[0]
      this.target.value = goal ? { messageId: goal.id } : 'end'
      return threadOf(this.conversationId, page)
    })
  }

  /** Scrolls to the end; when the end was not read yet, the thread is read again from there. */
  async goToEnd(): Promise<void> {
    if (this.thread.value?.hasNewer) await this.open()
    else this.target.value = 'end'
  }

  take(messages: readonly Message[]): void {
    const known = new Set(this.thread.value?.messages.map(({ id }) => id))
    const arrived =
      this.thread.value && messages.findLast(({ id, direction }) => direction === 'INBOUND' && !known.has(id))
    this.#change((thread) => withMessages(thread, messages))
    if (!arrived) return
    this.arrived.value = arrived
    this.typing.value = null
  }

  takeStatus(change: StatusChange): void {
    this.#change((thread) => withStatus(thread, change))
  }

  /**
   * Repairs the thread after the stream missed events, by reading the newest page. It does nothing while the end of the
   * thread is not shown, because reading on brings what was missed.
   */
  async catchUp(): Promise<void> {
    if (!this.thread.value) return this.open()
    if (this.thread.value.hasNewer) return
    await this.#read('newer', {}, (page, thread) => withNewest(thread, page))
  }

  #findUnread(page: MessagePage): void {
    this.#unread = lookedForIn(this.#unread, page)
    this.unreadFrom.value = this.#unread.from
  }

  /**
   * Applies a told change. While a page is being read, the change is applied again after it, because the page may be
   * older.
   */
  #change(change: Change): void {
    if (this.reading.value !== null) this.#meanwhile.push(change)
    if (this.thread.value) this.thread.value = change(this.thread.value)
  }

  /** Reads a page and applies it. One read runs at a time; a first page takes the place of any other read. */
  async #read(what: Reading, at: Place, put: (page: MessagePage, thread: Thread) => Thread): Promise<void> {
    if (this.reading.value !== null && what !== 'first') return
    const reading = ++this.#readings
    this.reading.value = what
    this.hasFailed.value = false
    try {
      const page = await this.#requests.messages(this.conversationId, at)
      if (reading !== this.#readings) return
      batch(() => {
        const thread = put(page, this.thread.value ?? threadOf(this.conversationId, page))
        this.thread.value = this.#meanwhile.reduce((changed, change) => change(changed), thread)
      })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (reading === this.#readings) this.hasFailed.value = true
    } finally {
      if (reading === this.#readings) {
        this.reading.value = null
        this.#meanwhile = []
      }
    }
  }
}
