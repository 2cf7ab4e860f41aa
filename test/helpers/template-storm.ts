import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Service } from './service.ts'
import { failTemplates, givenTemplate, type TemplateNumber } from './template-service.ts'
import { until } from './until.ts'

/** Names that contain each other: a look-up by parts of them finds the wrong one. */
const NAMES = ['order_sent', 'order_sen', 'order_sent_now', 'my_order_sent']

/** What is known of a template from the answers alone. */
interface Promised {
  /** Texts that it may have; null among them: it may be absent. */
  readonly texts: Set<string | null>
  /** An answer was missing: what was asked then may take effect at any time. */
  isLoose: boolean
  isEdited: boolean
}

/** How upstream fails a request. */
const FAULTS: readonly object[] = [{ drop: 'after' }, { drop: true }, { status: 500 }, { after: true, status: 500 }, { after: true, error: '2' }, { error: '4' }, { answerDelayMs: 300 }]
/** Longer than the gateway waits for an answer: it takes effect behind, or before that. */
const HANGS: readonly object[] = [{ delayMs: 11_000 }, { answerDelayMs: 11_000 }]
const FAILING = 0.75
const HANGING = 0.04
const LOOKUP_FAILING = 0.2
/** Reads are repeated within their time: more than so many fail in a row. */
const LOOKUPS = 6

/** One account, in which templates are created, edited and deleted one after another through whatever happens; it notes what it was promised. */
export class TemplateStorm {
  readonly number: TemplateNumber
  readonly promised = new Map<string, Promised>()
  /** What was asked, each with its status. */
  readonly answers: string[] = []
  done = 0
  readonly #service: Service
  readonly #random: () => number
  readonly #header: object
  readonly #generations = new Map<string, number>()
  #texts = 0

  /** `header`: a file that every other creation has. */
  constructor(service: Service, number: TemplateNumber, random: () => number, header: object) {
    this.#service = service
    this.number = number
    this.#random = random
    this.#header = header
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const name = this.#nameAt(step)
      const known = this.promised.get(name) ?? { texts: new Set([null]), isLoose: false, isEdited: false }
      this.promised.set(name, known)
      if (known.texts.size === 1 && known.texts.has(null)) await this.#create(name, known)
      else if (!known.isEdited && this.#random() < 0.7) await this.#edit(name, known)
      else await this.#delete(name, known)
      this.done++
    }
  }

  /** Upstream blocks the name of what was deleted. */
  #nameAt(step: number): string {
    const name = NAMES[step % NAMES.length] ?? ''
    const generation = this.#generations.get(name) ?? 0
    return generation === 0 ? name : `${name}_${generation}`
  }

  async #create(name: string, known: Promised): Promise<void> {
    const text = this.#newText()
    const header = this.#texts % 2 === 0 ? { header: this.#header } : {}
    await this.#fail('template.create', this.number.accountId)
    note(known, text, await this.#ask('POST', '/v1/templates', givenTemplate(name, { body: { ...header, body: { text } } })))
  }

  async #edit(name: string, known: Promised): Promise<void> {
    const text = this.#newText()
    const template = await this.#reviewed(name)
    if (template) await this.#fail('template.edit', template.externalId)
    known.isEdited = true
    note(known, text, await this.#ask('PUT', `/v1/templates/${name}`, { body: { ...template?.body, body: { text } }, examples: { customer: 'Ana' } }))
  }

  async #delete(name: string, known: Promised): Promise<void> {
    await this.#fail('template.delete', this.number.accountId)
    const answer = await this.#ask('DELETE', `/v1/templates/${name}`)
    note(known, null, answer)
    if (answer?.status === 200) this.#generations.set(this.#base(name), (this.#generations.get(this.#base(name)) ?? 0) + 1)
  }

  #base(name: string): string {
    return NAMES.find((base) => name === base || new RegExp(`^${base}_\\d+$`).test(name)) ?? name
  }

  #newText(): string {
    this.#texts += 1
    return `Hello {{customer}}, this is text ${this.#texts} of your order.`
  }

  /** Upstream takes no edit of what it has not looked at. Null: it never comes to that. */
  async #reviewed(name: string): Promise<any> {
    for (let look = 0; look < 20; look++) {
      const answer = await this.#ask('GET', `/v1/templates/${name}`)
      if (answer?.status !== 200) return null
      if (answer.body.sendable) return answer.body
      await pause(100)
    }
    return null
  }

  async #fail(op: string, id: string): Promise<void> {
    const [list, share] = this.#random() < HANGING ? [HANGS, 1] : [FAULTS, FAILING]
    const fault = list[Math.floor(this.#random() * list.length)]
    if (!fault || this.#random() > share) return
    await failTemplates(this.#service, op, id, fault)
    if (this.#random() < LOOKUP_FAILING) await failTemplates(this.#service, 'template.list', this.number.accountId, { status: 503, times: LOOKUPS })
  }

  /** Null: the gateway was killed meanwhile, and nobody knows. */
  async #ask(method: string, path: string, body?: unknown): Promise<Answer | null> {
    const answer = await this.#service.api(method, path, this.number.key, body).catch(() => null)
    this.answers.push(`${method} ${answer?.status ?? 'killed'}`)
    if (!answer || answer.status === 503) await until('the gateway is back', () => this.#isBack())
    return answer
  }

  async #isBack(): Promise<boolean> {
    return (await this.#service.api('GET', '/v1/templates?pageSize=1', this.number.key).catch(() => null))?.status === 200
  }
}

/** What a request for this text, or for its removal, promises by its answer: one that is refused changes nothing. */
function note(known: Promised, text: string | null, answer: Answer | null): void {
  const isLost = !answer || answer.status >= 500
  const isDone = answer !== null && answer.status < 300
  known.isLoose ||= isLost
  if (isDone && !known.isLoose) known.texts.clear()
  if (isDone || isLost) known.texts.add(text)
}
