import { setTimeout as pause } from 'node:timers/promises'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

/** One thread of messages: a number, a peer, and the texts in the order they were accepted. */
export interface Conversation {
  readonly number: PairedNumber
  readonly kind: 'OFFICIAL' | 'UNOFFICIAL'
  readonly peer: string
  readonly texts: string[]
  /** The service's ids of the texts. */
  readonly ids: string[]
}

/** Sends in all conversations at once, in order within each, whatever happens to the gateway. */
export class MessageStorm {
  accepted = 0
  readonly #service: Pick<Service, 'api'>
  readonly #conversations: readonly Conversation[]
  readonly #each: number
  #free: number
  #mayAccept = 0

  constructor(service: Pick<Service, 'api'>, conversations: readonly Conversation[], each: number, senders: number) {
    this.#service = service
    this.#conversations = conversations
    this.#each = each
    this.#free = senders
  }

  get total(): number {
    return this.#conversations.length * this.#each
  }

  /** Raises the number of messages that the storm may make in all. */
  allow(count: number): void {
    this.#mayAccept = Math.max(this.#mayAccept, count)
  }

  async untilAccepted(count: number): Promise<void> {
    await until(`${count} messages are accepted`, () => this.accepted >= count)
  }

  async run(): Promise<void> {
    await Promise.all(this.#conversations.map((conversation) => this.#thread(conversation)))
  }

  async #thread(conversation: Conversation): Promise<void> {
    for (let at = 0; at < this.#each; at++) {
      while (this.#free === 0 || this.accepted >= this.#mayAccept) await pause(20)
      this.#free--
      await this.#send(conversation, `${conversation.number.digits}-${conversation.peer}-${at}`)
      this.#free++
    }
  }

  /** A client that got no answer tries again under the same key. */
  async #send({ number, peer, texts, ids }: Conversation, text: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#service
        .api('POST', '/v1/messages/send', number.key, { destinationNumber: peer, text }, { 'idempotency-key': text })
        .catch(() => null)
      if (answer?.status === 202) {
        texts.push(text)
        ids.push(answer.body.id)
        this.accepted++
        return
      }
      if (tries === 600 || (answer && answer.status < 500 && answer.status !== 409))
        throw new Error(`not accepted: ${answer?.status} ${answer?.text}`)
      await pause(100)
    }
  }
}
