import { signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { isPassing, RequestFailure } from '../api/failure.ts'
import { newKey } from '../../ui/key.ts'
import { pauseAfter } from '../../ui/stream/pause.ts'
import type { Draft } from '../api/fields.ts'
import type { Accepted, Requests } from '../api/requests.ts'
import type { MediaType } from '../model/ceilings.ts'
import type { Message } from '../model/message.ts'

export interface SentFile {
  readonly file: File
  readonly mediaType: MediaType
  readonly caption: string
}

/** A message on its way to the server. It stands at the end of its thread until the stored message is there. */
export interface Outgoing {
  /** Idempotency key and correlation id: the message is sent once, however often it is tried. */
  readonly key: string
  readonly conversationId: string
  readonly what: Draft | SentFile
  readonly reply: Message | null
  /** The part of a file that was uploaded, 0 to 1. */
  readonly progress: number
  /** `waiting`: the server was not reached, and the next try starts by itself. */
  readonly state: 'sending' | 'waiting' | 'failed' | 'accepted'
  /** The code of the refusal; null when it was not refused. */
  readonly errorCode: string | null
  /** The message id; null until the message was accepted. */
  readonly id: string | null
}

/**
 * Everything that is sent, each message into the conversation it was written in. Within a conversation, texts are sent
 * one after the other in the order they were written, and so are files; a text does not wait for a file. After a
 * network failure or a fault of the server, a send is tried again under the same key until it is answered.
 */
export class Outbox {
  /** Failed messages by id, each with the id of the message that was sent in its place. */
  readonly retried = signal<ReadonlyMap<string, string>>(new Map())
  readonly #retryKeys = new Map<string, string>()
  readonly #items = new Map<string, Signal<readonly Outgoing[]>>()
  /** The last send of each line, by conversation and type (texts or files). */
  readonly #lines = new Map<string, Promise<void>>()
  /** Sends without an answer, by key; aborting one ends its tries. */
  readonly #running = new Map<string, AbortController>()
  /** Sends that met the end of the session; they wait for a new token. */
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

  /** Sends a message. Resolves when it was accepted, refused or dropped. */
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

  /** Sends a refused message under a new key, because the service repeats a refusal under its old key. */
  again(outgoing: Outgoing): Promise<void> {
    this.drop(outgoing)
    return this.send(outgoing.conversationId, outgoing.what, outgoing.reply)
  }

  /** Sends a failed message again. Repeated calls send it only once more. Throws RequestFailure. */
  async retry(messageId: string): Promise<void> {
    const key = this.#retryKeys.get(messageId) ?? newKey()
    this.#retryKeys.set(messageId, key)
    try {
      const { id } = await this.#requests.retry(messageId, key)
      this.retried.value = new Map(this.retried.value).set(messageId, id)
    } catch (error) {
      // A refusal is stored under its key, so the next try needs a new one.
      if (error instanceof RequestFailure && error.kind === 'refused') this.#retryKeys.delete(messageId)
      throw error
    }
  }

  /** Resumes the sends that waited for a new token. */
  resume(): void {
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  drop({ conversationId, key }: Pick<Outgoing, 'conversationId' | 'key'>): void {
    this.#running.get(key)?.abort()
    const items = this.of(conversationId)
    items.value = items.value.filter((item) => item.key !== key)
  }

  /** Ends all tries, because the host removes the page. */
  leave(): void {
    for (const running of this.#running.values()) running.abort()
    this.resume()
  }

  /** Removes the outgoing copy once the stored message is there. */
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

  /** Makes one try and, when it fails, waits for the next. Resolves to whether the send is done. */
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
      // A 429 ends the send like any other refusal: the service stores it under the key.
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

/** The fields stand before the file, because the service reads them before the file arrives. */
function formOf({ file, mediaType, caption }: SentFile, reply: Message | null, key: string): FormData {
  const form = new FormData()
  form.set('mediaType', mediaType)
  form.set('correlationId', key)
  if (caption !== '') form.set('caption', caption)
  if (reply) form.set('quotedMessageId', reply.id)
  form.set('file', file, file.name)
  return form
}
