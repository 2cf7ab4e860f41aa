import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { isPassing, RequestFailure } from '../api/failure.ts'
import { newKey } from '../api/key.ts'
import { pauseAfter } from '../api/pause.ts'
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
  /** `waiting`: the server was not reached, and is tried again by itself. */
  readonly state: 'sending' | 'waiting' | 'failed' | 'accepted'
  /** Why it was refused. */
  readonly errorCode: string | null
  /** Once it was accepted. */
  readonly id: string | null
}

/**
 * Everything that is sent, each into the conversation it was written in. Of a conversation texts go one after the
 * other, as they were written, and files do: a text waits for no file. What the network loses, or a server that is
 * away, is tried until it is answered, under one key.
 */
export class Outbox {
  /** Failed messages by what took their place: another try, by its id. */
  readonly retried = signal<ReadonlyMap<string, string>>(new Map())
  readonly #retryKeys = new Map<string, string>()
  readonly #items = new Map<string, Signal<readonly Outgoing[]>>()
  /** The last of each line, by conversation and kind. */
  readonly #lines = new Map<string, Promise<void>>()
  /** What is not answered yet, by key: aborted, it is tried no more. */
  readonly #running = new Map<string, AbortController>()
  /** Sends that the end of the session came before: they wait for a new token. */
  #waiting: (() => void)[] = []
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

  /** Resolves once it was accepted, refused or dropped. */
  send(conversationId: string, what: Draft | SentFile, reply: Message | null): Promise<void> {
    const outgoing: Outgoing = {
      key: newKey(),
      conversationId,
      what,
      reply,
      progress: 0,
      state: 'sending',
      errorCode: null,
      id: null,
    }
    this.of(conversationId).value = [...this.of(conversationId).value, outgoing]
    const running = new AbortController()
    this.#running.set(outgoing.key, running)
    const line = `${conversationId} ${'kind' in what ? 'texts' : 'files'}`
    const sent = (this.#lines.get(line) ?? Promise.resolve()).then(() => this.#deliver(outgoing, running.signal))
    this.#lines.set(line, sent)
    return sent
  }

  /** Sends anew what was refused: a refusal is kept under its key. */
  again(outgoing: Outgoing): Promise<void> {
    this.drop(outgoing)
    return this.send(outgoing.conversationId, outgoing.what, outgoing.reply)
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
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  drop({ conversationId, key }: Pick<Outgoing, 'conversationId' | 'key'>): void {
    this.#running.get(key)?.abort()
    const items = this.of(conversationId)
    items.value = items.value.filter((item) => item.key !== key)
  }

  /** The page is taken away: nothing is tried any more. */
  leave(): void {
    for (const running of this.#running.values()) running.abort()
    this.resume()
  }

  /** The stored message is there: its own copy goes. */
  arrived({ conversationId, correlationId, id }: Pick<Message, 'conversationId' | 'correlationId' | 'id'>): void {
    const items = this.#items.get(conversationId)
    if (!items?.value.some((item) => item.key === correlationId || item.id === id)) return
    items.value = items.value.filter((item) => item.key !== correlationId && item.id !== id)
  }

  async #deliver(outgoing: Outgoing, dropped: AbortSignal): Promise<void> {
    let isDone = false
    for (let tries = 1; !isDone && !dropped.aborted; tries++) isDone = await this.#isDone(outgoing, tries, dropped)
    this.#running.delete(outgoing.key)
  }

  /** One try, and the wait for the next. */
  async #isDone(outgoing: Outgoing, tries: number, dropped: AbortSignal): Promise<boolean> {
    try {
      const { id } = await this.#request(outgoing, dropped)
      this.#change(outgoing, { state: 'accepted', id })
      return true
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.kind === 'session') {
        await new Promise<void>((resolve) => this.#waiting.push(resolve))
        this.#change(outgoing, { state: 'sending', progress: 0 })
        return false
      }
      // Too many at once is a refusal as any other: it is kept under the key.
      if (!isPassing(error) || error.status === 429) {
        this.#change(outgoing, { state: 'failed', errorCode: error.code ?? 'REFUSED' })
        return true
      }
      this.#change(outgoing, { state: 'waiting', progress: 0 })
      await pauseAfter(tries, dropped)
      return false
    }
  }

  async #request(outgoing: Outgoing, dropped: AbortSignal): Promise<Accepted> {
    const { what, conversationId, reply, key } = outgoing
    if ('kind' in what) return this.#requests.send(conversationId, what, reply?.id ?? null, key)
    const upload = this.#requests.upload(conversationId, formOf(what, reply, key), key, (progress) =>
      this.#change(outgoing, { progress }),
    )
    dropped.addEventListener('abort', () => upload.cancel(), { once: true })
    return (await upload.done) as Accepted
  }

  #change({ conversationId, key }: Outgoing, change: Partial<Outgoing>): void {
    const items = this.of(conversationId)
    items.value = items.value.map((item) => (item.key === key ? { ...item, ...change } : item))
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
