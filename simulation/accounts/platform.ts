import { fail, refuse, type Outcome } from '../../src/domain/errors.ts'
import type { TemplateEventKind, TemplateRef } from '../../src/domain/template-events.ts'
import type { Fields } from '../../src/domain/json-fields.ts'
import type { TemplatesPort } from '../../src/ports/official/templates.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { TemplatePlatform } from '../../test/helpers/template-platform.ts'
import type { Journal } from '../journal.ts'
import type { Machine } from '../machine.ts'
import type { Network } from '../network.ts'
import type { Random } from '../random.ts'

/** What upstream tells of a template, until a gateway took it in. */
export interface News {
  readonly kind: TemplateEventKind
  readonly ref: TemplateRef
  readonly value: Fields
  readonly at: Date
}

interface Deps {
  readonly machine: Machine
  readonly network: Network
  readonly random: Random
  readonly journal: Journal
}

const AWAY = refuse('OFFICIAL_ERROR', 'The official platform did not answer.', {
  upstreamCode: null,
  upstreamMessage: 'no answer',
})
/** A review takes so many ms. */
const REVIEW_MS = [200, 15_000] as const
const REJECTED_PERCENT = 20
/** News that no gateway took in are told again after so many ms. */
const AGAIN_MS = [500, 4_000] as const
const SECOND_MS = 1_000

/** The templates of an account of the official platform: it reviews them, tells what it finds, and may fail. */
export class Platform {
  readonly #deps: Deps
  readonly #templates = new TemplatePlatform()
  /** Of 100 requests it throttles or fails so many, before or after they took effect. */
  troublePercent = 6
  /** Takes in news at a gateway; rejects when it is unknown whether that happened. */
  tell: (news: News) => Promise<void> = async () => {}
  /** Reviews that are not over, and news that nobody took in. */
  #open = 0
  /** The last review of each template: an edit begins a new one. */
  readonly #reviews = new Map<string, number>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get isQuiet(): boolean {
    return this.#open === 0
  }

  get templates() {
    return [...this.#templates.templates.values()]
  }

  /** Somebody removes a template by the platform's own pages. */
  removeByHand(name: string): void {
    const [shown] = this.#templates.named(name)
    if (shown) void this.#removed(shown.externalId, name)
  }

  /** What the machine of a gateway asks. */
  portOf(from: Machine): TemplatesPort {
    const { network, machine, random, journal } = this.#deps
    const write = async <T>(what: string, run: () => Promise<UpstreamWrite<T>>): Promise<UpstreamWrite<T>> => {
      const carried = await network.ask(from, machine, async (): Promise<UpstreamWrite<T>> => {
        if (random.chance(this.troublePercent)) return { kind: random.chance(50) ? 'unsent' : 'unknown', refusal: AWAY }
        const done = await run()
        journal.note('platform', `${what}: ${done.kind}`)
        return random.chance(this.troublePercent) ? { kind: 'unknown', refusal: AWAY } : done
      })
      if (carried.kind === 'answered') return carried.value
      return { kind: carried.kind === 'unheard' ? 'unsent' : 'unknown', refusal: AWAY }
    }
    const read = async <T>(run: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
      const carried = await network.ask(from, machine, () => (random.chance(this.troublePercent) ? fail(AWAY) : run()))
      return carried.kind === 'answered' ? carried.value : fail(AWAY)
    }
    const templates = this.#templates
    return {
      create: (submission) =>
        write(`create ${submission.name}`, async () => {
          const made = await templates.create(submission)
          if (made.kind === 'done') this.#review(made.value.externalId)
          return made
        }),
      edit: (externalId, submission) =>
        write(`edit ${externalId}`, async () => {
          const edited = await templates.edit(externalId, submission)
          if (edited.kind === 'done') this.#review(externalId)
          return edited
        }),
      remove: (externalId, name) => write(`remove ${name}`, () => this.#removed(externalId, name)),
      find: (name, language) => read(() => templates.find(name, language)),
      read: (externalId) => read(() => templates.read(externalId)),
      page: (after) => read(() => templates.page(after)),
      uploadSample: (file) => write('upload', () => templates.uploadSample(file)),
    }
  }

  async #removed(externalId: string, name: string): Promise<UpstreamWrite<null>> {
    const shown = this.#templates.templates.get(externalId)
    const removed = await this.#templates.remove(externalId, name)
    if (removed.kind === 'done' && shown) this.#news('DELETED', { externalId, name, language: shown.language })
    return removed
  }

  #review(externalId: string): void {
    const { machine, random } = this.#deps
    const round = (this.#reviews.get(externalId) ?? 0) + 1
    this.#reviews.set(externalId, round)
    const status = random.chance(REJECTED_PERCENT) ? 'REJECTED' : 'APPROVED'
    this.#open += 1
    machine.after(random.between(...REVIEW_MS), () => {
      const shown = this.#templates.templates.get(externalId)
      if (shown && this.#reviews.get(externalId) === round) {
        this.#templates.change(externalId, { status })
        this.#news(status, { externalId, name: shown.name, language: shown.language })
      }
      this.#open -= 1
    })
  }

  /** Upstream tells times in whole seconds. */
  #news(event: string, ref: TemplateRef): void {
    const { machine, journal } = this.#deps
    const at = new Date(Math.floor(machine.now() / SECOND_MS) * SECOND_MS)
    const value = {
      event,
      message_template_id: ref.externalId,
      message_template_name: ref.name,
      message_template_language: ref.language,
    }
    journal.note('platform', `${ref.name} is ${event}`)
    this.#open += 1
    void this.#untilTaken({ kind: 'STATUS', ref, value, at })
  }

  async #untilTaken(news: News): Promise<void> {
    const { machine, random } = this.#deps
    try {
      await this.tell(news)
      this.#open -= 1
    } catch {
      machine.after(random.between(...AGAIN_MS), () => void this.#untilTaken(news))
    }
  }
}
