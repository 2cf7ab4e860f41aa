import { batch, computed, signal } from '@preact/signals'
import { Client } from '../api/client.ts'
import { isDone, isPassing, RequestFailure } from '../api/failure.ts'
import { Live } from '../../ui/stream/live.ts'
import { pauseAfter } from '../../ui/stream/pause.ts'
import type { Connection, StreamSource } from '../../ui/stream/live.ts'
import { Requests } from '../api/requests.ts'
import type { SessionView } from '../api/requests.ts'
import { ServerClock } from '../api/server-clock.ts'
import { Token } from '../api/token.ts'
import type { Over } from '../api/token.ts'
import type { Message } from '../model/message.ts'
import { Conversations } from './conversation-list.ts'
import { Drafts } from './drafts.ts'
import { applyEvents } from './events.ts'
import { OpenThread } from './open-thread.ts'
import { Outbox } from './outbox.ts'
import { Single } from './single.ts'
import { UnreadTeller } from './unread-teller.ts'

export type Mark = Parameters<Requests['mark']>[1]

/** What the inbox tells the host page. */
export interface InboxHost {
  readonly ready: () => void
  readonly tokenRefreshed: (token: string, expiresAt: string) => void
  readonly sessionExpired: (reason: Over) => void
  readonly failed: (code: string, message: string) => void
  readonly unreadCount: (count: number) => void
  readonly conversationOpened: (conversationId: string, channelNumberId: string) => void
}

function streamOf(requests: Requests): StreamSource {
  return {
    open: (lastId, signal) => requests.stream(lastId, signal),
    isPassing: (error) => error instanceof RequestFailure && isPassing(error),
  }
}

/**
 * The inbox: what a session shows and does. `view` draws it, the event stream updates it, and it stays readable when
 * its session is over.
 */
export class Inbox {
  readonly clock = new ServerClock()
  readonly session = signal<SessionView | null>(null)
  readonly over = signal<Over | null>(null)
  readonly hasFailed = signal(false)
  readonly connection = signal<Connection>('connecting')
  readonly unreadTotal = signal(0)
  readonly open = signal<OpenThread | null>(null)
  /** The conversation whose newest messages are visible on the screen; null when nobody can see any. */
  readonly onScreen = signal<string | null>(null)
  readonly conversations: Conversations
  readonly outbox: Outbox
  readonly drafts = new Drafts()
  /** The last message that was told to have come in, in any conversation. */
  readonly arrived = signal<Message | null>(null)
  readonly requests: Requests
  /** [inbox.hooks.1]: the value of `main[data-state]`. */
  readonly state = computed(() => {
    if (this.over.value !== null) return 'expired'
    if (this.hasFailed.value && this.session.value === null) return 'error'
    const { list, filter } = this.conversations
    if (this.session.value === null || list.value === null)
      return this.conversations.hasFailed.value ? 'error' : 'loading'
    return list.value.items.length === 0 && filter.value.show === 'all' && filter.value.numberId === null
      ? 'empty'
      : 'ready'
  })
  readonly #host: InboxHost
  readonly #token: Token
  readonly #live: Live
  readonly #marking = new Single()
  readonly #unreadTeller: UnreadTeller
  #isReady = false
  #taking: AbortController | null = null
  #opening = 0
  #wanted: string | null

  constructor(host: InboxHost, wanted: string | null) {
    this.#host = host
    this.#wanted = wanted
    this.#token = new Token(this.clock, {
      refreshed: (token, expiresAt) => {
        const { session } = this
        if (session.value) session.value = { ...session.value, expiresAt }
        host.tokenRefreshed(token, expiresAt)
      },
      over: (reason) => this.#end(reason),
    })
    this.requests = new Requests(new Client(this.#token, this.clock))
    this.conversations = new Conversations(this.requests)
    this.outbox = new Outbox(this.requests)
    this.#unreadTeller = new UnreadTeller(() => {
      const onScreen = this.conversations.find(this.onScreen.value)?.unreadCount ?? 0
      return { total: this.unreadTotal.value, onScreen: this.open.value === null ? null : onScreen }
    }, host.unreadCount)
    this.#live = new Live(streamOf(this.requests), {
      connection: (now) => {
        this.connection.value = this.over.value === null ? now : 'offline'
      },
      told: (events) => applyEvents(this, events),
    })
  }

  /**
   * Begins with a token, or goes on with a new one after an earlier expired; nothing that was read or written is lost.
   * After a network failure it tries again, as long as no other token was given.
   */
  async take(token: string): Promise<void> {
    this.#taking?.abort()
    const taking = new AbortController()
    this.#taking = taking
    this.#token.take(token)
    batch(() => {
      if (this.over.value !== null) this.connection.value = 'connecting'
      this.over.value = null
    })
    for (let tries = 1; !taking.signal.aborted; tries++) {
      try {
        return await this.#begin(await this.requests.session(), taking.signal)
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        if (taking.signal.aborted || error.kind === 'session') return
        this.hasFailed.value = true
        this.connection.value = 'offline'
        if (tries === 1) this.#host.failed(error.code ?? 'NETWORK', error.message)
        if (!isPassing(error)) return
        await pauseAfter(tries, taking.signal)
      }
    }
  }

  async #begin(session: SessionView, replaced: AbortSignal): Promise<void> {
    if (replaced.aborted) return
    this.hasFailed.value = false
    this.session.value = session
    this.#token.lives(session.expiresAt)
    this.setUnread(session.unreadTotal)
    this.outbox.resume()
    await this.#live.start()
    await this.refetch()
    if (replaced.aborted) return
    this.#tellReady()
    const wanted = this.#wanted
    this.#wanted = null
    if (wanted !== null) await this.openConversation(wanted)
  }

  /** Starts again after the first load failed. */
  retry(): Promise<void> {
    return this.take(this.#token.current())
  }

  /** Reads everything shown again, because the stream missed more events than it can replay. */
  async refetch(): Promise<void> {
    await Promise.all([this.conversations.reload(), this.open.value?.catchUp()])
  }

  /**
   * Opens a conversation, at the message `around` when given. Resolves to false when the session does not include the
   * conversation, reading failed, or another one was opened meanwhile.
   */
  async openConversation(id: string, around: string | null = null): Promise<boolean> {
    const opening = ++this.#opening
    const conversation = await this.conversations.get(id)
    // Another conversation was opened while this one was being read.
    if (!conversation || opening !== this.#opening) return false
    const open = this.open.value
    if (open?.conversationId === id) {
      if (around !== null) await open.goTo(around)
      return true
    }
    const thread = new OpenThread(this.requests, id)
    this.open.value = thread
    if (conversation.isMarkedUnread) void this.markRead(id)
    this.#host.conversationOpened(id, conversation.numberId)
    await thread.open(around, conversation.unreadCount)
    return true
  }

  close(): void {
    this.#opening++
    this.open.value = null
  }

  /** Ends all requests, because the host removes the page. */
  leave(): void {
    this.#taking?.abort()
    this.#live.stop()
    this.#token.leave()
    this.#unreadTeller.end()
    this.outbox.leave()
  }

  /** Marks the messages of a conversation as read. */
  async markRead(conversationId: string): Promise<void> {
    if (this.conversations.unreadOf(conversationId) === 0 || this.over.value !== null) return
    await this.#marking.once(conversationId, () => this.requests.markRead(conversationId))
  }

  /**
   * Marks a conversation, and closes it: whoever puts it away or keeps it for later is done with it. Resolves to false
   * when that was not done.
   */
  async mark(id: string, mark: Mark): Promise<boolean> {
    if (this.over.value !== null) return false
    if (mark !== 'unarchive' && this.open.value?.conversationId === id) this.close()
    try {
      this.conversations.take(await this.requests.mark(id, mark), this.open.value?.conversationId ?? null)
      return true
    } catch (error) {
      if (error instanceof RequestFailure) return false
      throw error
    }
  }

  /** Reacts to a message; an empty emoji takes the reaction back. Resolves to false when that was not done. */
  async react({ conversationId, id }: Message, emoji: string): Promise<boolean> {
    return this.over.value === null && (await isDone(this.requests.react(conversationId, id, emoji)))
  }

  /** Changes a sent text; null takes the message back. Resolves to false when that was not done. */
  async change({ id }: Message, text: string | null): Promise<boolean> {
    return this.over.value === null && (await isDone(this.requests.change(id, text)))
  }

  setUnread(total: number): void {
    this.unreadTotal.value = total
  }

  /** Called when the stream says that the session is over. */
  ended(reason: Over): void {
    this.#token.end(reason)
  }

  /** Called when the stream names a new expiry of the session. */
  lives(expiresAt: string): void {
    const { session } = this
    if (session.value) session.value = { ...session.value, expiresAt }
  }

  #tellReady(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#host.ready()
    this.#unreadTeller.begin()
  }

  #end(reason: Over): void {
    this.over.value = reason
    this.#live.stop()
    this.connection.value = 'offline'
    this.#host.sessionExpired(reason)
  }
}
