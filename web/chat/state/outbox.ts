import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { RequestFailure } from '../api/failure.ts'
import { newKey } from '../api/key.ts'
import type { Accepted, Draft, Requests } from '../api/requests.ts'
import type { MediaType } from '../model/ceilings.ts'
import type { Message } from '../model/message.ts'

export interface SentFile {
  readonly file: File
  readonly mediaType: MediaType
  readonly caption: string
}

/** A message on its way to the server: it stands at the end of its thread until the stored one is there. */
export interface Outgoing {
  /** Idempotency key and correlation id: however often it is tried, it is sent once. */
  readonly key: string
  readonly conversationId: string
  readonly what: Draft | SentFile
  readonly reply: Message | null
  /** Of a file, 0 to 1. */
  readonly progress: number
  readonly state: 'sending' | 'failed' | 'accepted'
  readonly errorCode: string | null
  /** Once it was accepted. */
  readonly id: string | null
}

/** Everything that is sent, each into the conversation it was written in. */
export class Outbox {
  /** Failed messages by what took their place: another try, by its id. */
  readonly retried = signal<ReadonlyMap<string, string>>(new Map())
  readonly #retryKeys = new Map<string, string>()
  readonly #items = new Map<string, Signal<readonly Outgoing[]>>()
  readonly #cancels = new Map<string, () => void>()
  /** Sends that the end of the session came before, by key: they wait for a new token. */
  readonly #waiting = new Map<string, Outgoing>()
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  of(conversationId: string): Signal<readonly Outgoing[]> {
    const known = this.#items.get(conversationId)
    if (known) return known
    const items = signal<readonly Outgoing[]>([])
    this.#items.set(conversationId, items)
    return items
  }

  async send(conversationId: string, what: Draft | SentFile, reply: Message | null): Promise<void> {
    const outgoing: Outgoing = { key: newKey(), conversationId, what, reply, progress: 0, state: 'sending', errorCode: null, id: null }
    this.of(conversationId).value = [...this.of(conversationId).value, outgoing]
    await this.#try(outgoing)
  }

  /** Tries again what did not reach the server, or was refused. */
  async again(outgoing: Outgoing): Promise<void> {
    const { conversationId, what, reply } = outgoing
    // What the network lost may have arrived: the same key then. What was refused keeps its refusal under its key.
    if (outgoing.errorCode !== null) {
      this.drop(outgoing)
      return this.send(conversationId, what, reply)
    }
    this.#change(outgoing, { state: 'sending', progress: 0 })
    await this.#try(outgoing)
  }

  /** Sends a failed message again. However often that is asked for, it is sent once more. Throws RequestFailure. */
  async retry(messageId: string): Promise<void> {
    const key = this.#retryKeys.get(messageId) ?? newKey()
    this.#retryKeys.set(messageId, key)
    try {
      const { id } = await this.#requests.retry(messageId, key)
      this.retried.value = new Map(this.retried.value).set(messageId, id)
    } catch (error) {
      // What was refused keeps its refusal under its key.
      if (error instanceof RequestFailure && error.kind === 'refused') this.#retryKeys.delete(messageId)
      throw error
    }
  }

  /** There is a new token: what waited for one is sent. */
  resume(): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const outgoing of waiting) void this.#try(outgoing)
  }

  drop({ conversationId, key }: Pick<Outgoing, 'conversationId' | 'key'>): void {
    this.#cancels.get(key)?.()
    this.#waiting.delete(key)
    const items = this.of(conversationId)
    items.value = items.value.filter((item) => item.key !== key)
  }

  /** The stored message is there: its own copy goes. */
  arrived({ conversationId, correlationId, id }: Pick<Message, 'conversationId' | 'correlationId' | 'id'>): void {
    const items = this.#items.get(conversationId)
    if (!items?.value.some((item) => item.key === correlationId || item.id === id)) return
    items.value = items.value.filter((item) => item.key !== correlationId && item.id !== id)
  }

  async #try(outgoing: Outgoing): Promise<void> {
    try {
      const { id } = await this.#request(outgoing)
      this.#change(outgoing, { state: 'accepted', id })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.kind === 'session') this.#waiting.set(outgoing.key, outgoing)
      else this.#change(outgoing, { state: 'failed', errorCode: error.kind === 'refused' ? error.code ?? 'REFUSED' : null })
    } finally {
      this.#cancels.delete(outgoing.key)
    }
  }

  #request(outgoing: Outgoing): Promise<Accepted> {
    const { what, conversationId, reply, key } = outgoing
    if ('kind' in what) return this.#requests.send(conversationId, what, reply?.id ?? null, key)
    const upload = this.#requests.upload(conversationId, formOf(what, reply, key), key, (progress) => this.#change(outgoing, { progress }))
    this.#cancels.set(key, () => upload.cancel())
    return upload.done as Promise<Accepted>
  }

  #change({ conversationId, key }: Outgoing, change: Partial<Outgoing>): void {
    const items = this.of(conversationId)
    items.value = items.value.map((item) => item.key === key ? { ...item, ...change } : item)
  }
}

/** The fields stand before the file, so that a reader knows what it is before it comes. */
function formOf({ file, mediaType, caption }: SentFile, reply: Message | null, key: string): FormData {
  const form = new FormData()
  form.set('mediaType', mediaType)
  form.set('correlationId', key)
  if (caption !== '') form.set('caption', caption)
  if (reply) form.set('quotedMessageId', reply.id)
  form.set('file', file, file.name)
  return form
}
