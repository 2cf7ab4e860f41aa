import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from './service.ts'
import { Possible, Storm } from './storm.ts'
import { givenTemplate, type TemplateNumber } from './template-service.ts'

/** Names that contain each other, so that a look-up by a part of a name finds the wrong one. */
const NAMES = ['order_sent', 'order_sen', 'order_sent_now', 'my_order_sent']

/** What is known of a template from answers alone. */
interface Promised {
  /** Texts that it may have; null among them means that it may be absent. */
  readonly texts: Possible<string | null>
  isEdited: boolean
}

/**
 * One account in which templates are created, edited and deleted one after another through all faults; it records what
 * the answers promised.
 */
export class TemplateStorm extends Storm<TemplateNumber> {
  readonly promised = new Map<string, Promised>()
  readonly #header: object
  readonly #generations = new Map<string, number>()
  #texts = 0

  /** `header` is a file that every other creation has. */
  constructor(service: Service, number: TemplateNumber, random: () => number, header: object) {
    super(service, number, random, '/v1/templates?pageSize=1')
    this.#header = header
  }

  protected async step(step: number): Promise<void> {
    const name = this.#nameAt(step)
    const known = this.promised.get(name) ?? { texts: new Possible<string | null>(null), isEdited: false }
    this.promised.set(name, known)
    const { values } = known.texts
    if (values.size === 1 && values.has(null)) await this.#create(name, known)
    else if (!known.isEdited && this.random() < 0.7) await this.#edit(name, known)
    else await this.#delete(name, known)
  }

  /** A new name for each creation, because the upstream blocks the name of a deleted template. */
  #nameAt(step: number): string {
    const name = NAMES[step % NAMES.length] ?? ''
    const generation = this.#generations.get(name) ?? 0
    return generation === 0 ? name : `${name}_${generation}`
  }

  async #create(name: string, known: Promised): Promise<void> {
    const text = this.#newText()
    const header = this.#texts % 2 === 0 ? { header: this.#header } : {}
    await this.#fail('template.create', this.number.accountId)
    known.texts.note(
      [text],
      await this.ask('POST', '/v1/templates', givenTemplate(name, { body: { ...header, body: { text } } })),
    )
  }

  async #edit(name: string, known: Promised): Promise<void> {
    const text = this.#newText()
    const template = await this.#reviewed(name)
    if (template) await this.#fail('template.edit', template.externalId)
    known.isEdited = true
    known.texts.note(
      [text],
      await this.ask('PUT', `/v1/templates/${name}`, {
        body: { ...template?.body, body: { text } },
        examples: { customer: 'Ana' },
      }),
    )
  }

  async #delete(name: string, known: Promised): Promise<void> {
    await this.#fail('template.delete', this.number.accountId)
    const answer = await this.ask('DELETE', `/v1/templates/${name}`)
    known.texts.note([null], answer)
    if (answer?.status === 200)
      this.#generations.set(this.#base(name), (this.#generations.get(this.#base(name)) ?? 0) + 1)
  }

  #base(name: string): string {
    return NAMES.find((base) => name === base || new RegExp(`^${base}_\\d+$`).test(name)) ?? name
  }

  #newText(): string {
    this.#texts += 1
    return `Hello {{customer}}, this is text ${this.#texts} of your order.`
  }

  /** Waits for the review, because the upstream accepts no edit before it; null when the review never comes. */
  async #reviewed(name: string): Promise<any> {
    for (let look = 0; look < 20; look++) {
      const answer = await this.ask('GET', `/v1/templates/${name}`)
      if (answer?.status !== 200) return null
      if (answer.body.sendable) return answer.body
      await pause(100)
    }
    return null
  }

  async #fail(op: string, id: string): Promise<void> {
    await this.fail(op, id, { op: 'template.list', id: this.number.accountId })
  }
}
