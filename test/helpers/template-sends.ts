import { setTimeout as pause } from 'node:timers/promises'
import { newPeer, type Kind } from './message-service.ts'
import type { PairedNumber, Service } from './service.ts'
import { createTemplate, readyTemplate } from './template-service.ts'
import { until } from './until.ts'

/** An accepted message. */
export interface SentTemplate {
  readonly id: string
  readonly template: string
  /** The texts that may have been accepted: one for each wording that the template had by then. */
  readonly texts: readonly string[]
}

/** A number that sends templates to its peers. */
export interface Sender {
  readonly number: PairedNumber
  readonly kind: Kind
  readonly peers: readonly string[]
  readonly sent: Map<string, SentTemplate[]>
}

/** Values that must come through unchanged. Each is followed by the message's own mark. */
const VALUES = [
  "$& $1 $$ $` $'",
  '{{other}} {{1}} {{customer}}',
  '"quoted" \'single\' \\ \\n `tick`',
  '👩‍👩‍👧‍👦 🇧🇷 ✅',
  'שלום ‏مرحبا',
  '<b>&amp;</b> %s %00 ${x}',
]
const LONGEST = 4_096
const LOCAL_VALUES = ['one\ntwo\tthree     four', 'ü'.repeat(LONGEST)]
/** `goes` is deleted on the way; `stays` gets another wording on UNOFFICIAL numbers. */
export const TEMPLATES = {
  goes: 'Dear {{customer}}, {{customer}} goes.',
  stays: 'Hello {{customer}}, your order is on its way.',
}
const LATER = 'Good day {{customer}}, your order has come.'

/** Whether a body has the later wording, which has no other parts. */
export function isLater(body: string): boolean {
  return body.startsWith('Good day')
}

export async function prepareSender(
  service: Service,
  number: PairedNumber,
  kind: Kind,
  peers: number,
): Promise<Sender> {
  const body = {
    header: { type: 'TEXT', text: 'News' },
    footer: { text: 'Acme' },
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
  }
  const ready = kind === 'OFFICIAL' ? readyTemplate : createTemplate
  await Promise.all(
    Object.entries(TEMPLATES).map(([name, text]) =>
      ready(service, number, name, { body: { ...body, body: { text } } }),
    ),
  )
  const names = Array.from({ length: peers }, () => newPeer())
  return { number, kind, peers: names, sent: new Map(names.map((peer) => [peer, []])) }
}

/** The value of a variable; the mark comes last, so that no two values are equal. */
function valueAt(kind: Kind, at: number, mark: string): string {
  const values = kind === 'OFFICIAL' ? VALUES : [...VALUES, ...LOCAL_VALUES]
  const value = values[at % values.length] ?? ''
  return `${value.slice(0, LONGEST - mark.length - 1)} ${mark}`
}

function filled(text: string, value: string): string {
  return text.split('{{customer}}').join(value)
}

/** Sends templates on all numbers at once, in order to each peer, whatever happens to the gateway and the templates. */
export class TemplateSends {
  accepted = 0
  readonly senders: readonly Sender[]
  readonly #service: Service
  readonly #each: number
  readonly #random: () => number
  #mayAccept = 0

  constructor(service: Service, senders: readonly Sender[], each: number, random: () => number) {
    this.#service = service
    this.senders = senders
    this.#each = each
    this.#random = random
  }

  get total(): number {
    return this.senders.reduce((sum, { peers }) => sum + peers.length * this.#each, 0)
  }

  /** Raises the number of messages that may be sent in all. */
  allow(count: number): void {
    this.#mayAccept = Math.max(this.#mayAccept, count)
  }

  async untilAccepted(count: number): Promise<void> {
    await until(`${count} messages of templates are accepted`, () => this.accepted >= count)
  }

  async run(): Promise<void> {
    await Promise.all(
      this.senders.map(async (sender) => {
        await Promise.all(sender.peers.map((peer) => this.#thread(sender, peer)))
      }),
    )
  }

  /** Deletes one template on each number, and rewords the other one where that needs no review. */
  async changeTemplates(): Promise<void> {
    for (const { number, kind } of this.senders) {
      await this.#insist('DELETE', '/v1/templates/goes', number, [200, 404])
      if (kind === 'UNOFFICIAL')
        await this.#insist('PUT', '/v1/templates/stays', number, [200], {
          body: { body: { text: LATER } },
          examples: { customer: 'Ana' },
        })
    }
  }

  async #insist(
    method: string,
    path: string,
    number: PairedNumber,
    wanted: readonly number[],
    body?: object,
  ): Promise<void> {
    await until(`${method} ${path} is done`, async () =>
      wanted.includes((await this.#service.api(method, path, number.key, body).catch(() => null))?.status ?? 0),
    )
  }

  async #thread(sender: Sender, peer: string): Promise<void> {
    for (let at = 0; at < this.#each; at++) {
      while (this.accepted >= this.#mayAccept) await pause(20)
      await this.#send(sender, peer, at)
    }
  }

  async #send(sender: Sender, peer: string, at: number): Promise<void> {
    const { number, kind } = sender
    const value = valueAt(kind, at + peer.length, `${peer}-${at}`)
    let template: keyof typeof TEMPLATES = this.#random() < 0.4 ? 'goes' : 'stays'
    let last: unknown = null
    let refusals = 0
    for (let tries = 0; tries < 1_000; tries++) {
      // A client that got no answer tries again under the same key. A refusal is an answer, and the next request has a
      // new key.
      const message = { destinationNumber: peer, templateId: template, variables: { customer: value, unknown: 1 } }
      const answer = await this.#service
        .api('POST', '/v1/messages/send', number.key, message, { 'idempotency-key': `${peer}-${at}-${refusals}` })
        .catch(() => null)
      if (answer?.status === 202) {
        const wordings = [TEMPLATES[template], ...(kind === 'UNOFFICIAL' && template === 'stays' ? [LATER] : [])]
        sender.sent
          .get(peer)
          ?.push({ id: answer.body.id, template, texts: wordings.map((text) => filled(text, value)) })
        this.accepted++
        return
      }
      last = answer?.text ?? last
      if (answer?.status === 404) {
        refusals++
        template = await this.#refreshed(number, template)
      } else if (answer && answer.status < 500 && answer.status !== 409)
        throw new Error(`not accepted: ${answer.status} ${answer.text}`)
      await pause(100)
    }
    throw new Error(`nothing more is accepted for ${peer}: ${String(last)}`)
  }

  /**
   * A template that the upstream refused is marked here; the client reads it again, and uses another when it is gone.
   */
  async #refreshed(number: PairedNumber, template: keyof typeof TEMPLATES): Promise<keyof typeof TEMPLATES> {
    const answer = await this.#service.api('GET', `/v1/templates/${template}?refresh=1`, number.key).catch(() => null)
    return answer?.status === 404 ? 'stays' : template
  }
}
