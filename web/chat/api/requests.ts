import type { ConversationList, ListFilter } from '../model/conversations.ts'
import type { ChannelNumber, Conversation, Message, MessageStatus } from '../model/message.ts'
import type { Template } from '../model/template.ts'
import { PAGE, type MessagePage } from '../model/thread.ts'
import { newKey } from '../../ui/key.ts'
import type { Theme } from '../../../src/domain/contrast.ts'
import type { Client, Upload } from './client.ts'
import { bodyOf, queryOf } from './fields.ts'
import type { Draft } from './fields.ts'

/** What a session may show and do ([embeds.inbox-routes.1]). */
export interface SessionView {
  readonly id: string
  readonly numbers: readonly ChannelNumber[]
  readonly branding: { readonly companyName: string | null; readonly logoUrl: string | null }
  readonly theme: Theme
  /** Users may write first ([embeds.starts.1]). */
  readonly startConversation: boolean
  readonly unreadTotal: number
  readonly expiresAt: string
  readonly maxExpiresAt: string
}

export interface Accepted {
  readonly id: string
  readonly correlationId: string | null
  readonly status: MessageStatus
  readonly createdAt: string
}

export interface Found {
  readonly conversations: readonly Conversation[]
  readonly messages: readonly { readonly message: Message; readonly conversation: Conversation }[]
}

/** A text to answer with ([canned-replies.object.1]). */
export interface CannedReply {
  readonly id: string
  readonly shortcut: string
  readonly text: string
}

/** Where a page of messages begins: beside a message, or at a UTC time; without either, at the newest. */
export interface MessagePlace {
  readonly before?: string
  readonly after?: string
  readonly around?: string
  readonly at?: string
  readonly limit?: number
}

/** What a search looks through; null for all. */
export interface SearchScope {
  readonly numberId: string | null
  readonly conversationId: string | null
}

/** The routes of the inbox, by name. Each method throws RequestFailure. */
export class Requests {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  session(): Promise<SessionView> {
    return this.client.get('/session')
  }

  async conversations(
    { show, numberId }: ListFilter,
    before: string | null,
    signal?: AbortSignal,
  ): Promise<ConversationList> {
    const query = queryOf({ filter: show, numberId, before })
    const { conversations, nextBefore } = await this.client.get<{
      conversations: Conversation[]
      nextBefore: string | null
    }>(`/conversations${query}`, signal)
    return { items: conversations, nextBefore }
  }

  conversation(id: string): Promise<Conversation> {
    return this.client.get(`/conversations/${encodeURIComponent(id)}`)
  }

  messages(
    conversationId: string,
    { limit = PAGE, ...at }: MessagePlace = {},
    signal?: AbortSignal,
  ): Promise<MessagePage> {
    return this.client.get(
      `/conversations/${encodeURIComponent(conversationId)}/messages${queryOf({ limit: String(limit), ...at })}`,
      signal,
    )
  }

  async markRead(conversationId: string): Promise<void> {
    await this.client.post(`/conversations/${encodeURIComponent(conversationId)}/read`, {})
  }

  /** Marks a conversation as unread, archives it or takes it back. */
  mark(conversationId: string, mark: 'unread' | 'archive' | 'unarchive'): Promise<Conversation> {
    return this.client.post(`/conversations/${encodeURIComponent(conversationId)}/${mark}`, {})
  }

  /** Sends a message. `key` is also its correlation id, by which the stored message is recognised. */
  send(conversationId: string, draft: Draft, quotedMessageId: string | null, key: string): Promise<Accepted> {
    return this.client.post(
      `/conversations/${encodeURIComponent(conversationId)}/messages`,
      { ...bodyOf(draft), correlationId: key, ...(quotedMessageId === null ? {} : { quotedMessageId }) },
      key,
    )
  }

  upload(conversationId: string, form: FormData, key: string, onProgress: (part: number) => void): Upload {
    return this.client.upload(`/conversations/${encodeURIComponent(conversationId)}/messages`, form, key, onProgress)
  }

  retry(messageId: string, key: string): Promise<Accepted> {
    return this.client.post(`/messages/${encodeURIComponent(messageId)}/retry`, {}, key)
  }

  /** Reacts to a message; an empty emoji takes the reaction back. */
  async react(conversationId: string, messageId: string, emoji: string): Promise<void> {
    await this.client.post(
      `/conversations/${encodeURIComponent(conversationId)}/messages`,
      { reaction: { messageId, emoji } },
      newKey(),
    )
  }

  /** Changes a sent text for everybody; null takes the message back. */
  async change(messageId: string, text: string | null): Promise<void> {
    const path = `/messages/${encodeURIComponent(messageId)}`
    await (text === null ? this.client.ask('DELETE', path) : this.client.ask('PATCH', path, { text }))
  }

  /**
   * Reads a media file of a message. `card` is the index of a carousel card whose picture is wanted; null means the
   * file of the message itself.
   */
  media(messageId: string, card: number | null, signal?: AbortSignal): Promise<Blob> {
    return this.client.bytes(
      `/messages/${encodeURIComponent(messageId)}/media${queryOf({ card: card === null ? null : String(card) })}`,
      signal,
    )
  }

  search(q: string, scope: SearchScope, signal: AbortSignal): Promise<Found> {
    return this.client.get(`/search${queryOf({ q, ...scope })}`, signal)
  }

  async templates(numberId: string, search: string, signal: AbortSignal): Promise<readonly Template[]> {
    return (
      await this.client.get<{ templates: Template[] }>(
        `/templates${queryOf({ numberId, search: search || null })}`,
        signal,
      )
    ).templates
  }

  async cannedReplies(signal: AbortSignal): Promise<readonly CannedReply[]> {
    return (await this.client.get<{ cannedReplies: CannedReply[] }>('/canned-replies', signal)).cannedReplies
  }

  stream(lastId: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.client.stream('/stream', lastId, signal)
  }
}
