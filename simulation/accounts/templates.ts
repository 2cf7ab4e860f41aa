import type { TemplateEvent } from '../../src/commands/templates/told.ts'
import type { TemplateRef } from '../../src/domain/template-events.ts'
import type { TemplatesPort } from '../../src/ports/official/templates.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { TemplatePlatform } from '../../test/helpers/template-platform.ts'
import type { Machine } from '../machine.ts'
import { Front, type FrontDeps } from './front.ts'

export type TemplateNews = Omit<TemplateEvent, 'tenantId' | 'accountId'>

/** A review takes so many ms. */
const REVIEW_MS = [200, 15_000] as const
const REJECTED_PERCENT = 20

/** The templates of an account of the official platform: it reviews them, and tells what it finds. */
export class UpstreamTemplates {
  readonly front: Front<TemplateNews>
  readonly #templates = new TemplatePlatform()
  /** The last review of each template: an edit begins a new one. */
  readonly #reviews = new Map<string, number>()

  constructor(deps: FrontDeps) {
    this.front = new Front(deps)
  }

  get all() {
    return [...this.#templates.templates.values()]
  }

  /** Somebody removes a template by the platform's own pages. */
  removeByHand(name: string): void {
    const [shown] = this.#templates.named(name)
    if (!shown) return
    // The answer of its creation may still be under way.
    if (shown.status === 'PENDING') this.front.hasLate = true
    void this.#removed(shown.externalId, name)
  }

  /** What the machine of a gateway asks. */
  portOf(from: Machine): TemplatesPort {
    const { front } = this
    const templates = this.#templates
    return {
      create: (submission) =>
        front.write(from, `create ${submission.name}`, async () => {
          const made = await templates.create(submission)
          if (made.kind === 'done') this.#review(made.value.externalId)
          return made
        }),
      edit: (externalId, submission) =>
        front.write(from, `edit ${externalId}`, async () => {
          const edited = await templates.edit(externalId, submission)
          if (edited.kind === 'done') this.#review(externalId)
          return edited
        }),
      remove: (externalId, name) => front.write(from, `remove ${name}`, () => this.#removed(externalId, name)),
      find: (name, language) => front.read(from, () => templates.find(name, language)),
      read: (externalId) => front.read(from, () => templates.read(externalId)),
      page: (after) => front.read(from, () => templates.page(after)),
      uploadSample: (file) => front.write(from, 'upload', () => templates.uploadSample(file)),
    }
  }

  async #removed(externalId: string, name: string): Promise<UpstreamWrite<null>> {
    const shown = this.#templates.templates.get(externalId)
    const removed = await this.#templates.remove(externalId, name)
    if (removed.kind === 'done' && shown) this.#news('DELETED', { externalId, name, language: shown.language })
    return removed
  }

  #review(externalId: string): void {
    const { random } = this.front.deps
    const round = (this.#reviews.get(externalId) ?? 0) + 1
    this.#reviews.set(externalId, round)
    const status = random.chance(REJECTED_PERCENT) ? 'REJECTED' : 'APPROVED'
    this.front.later(random.between(...REVIEW_MS), () => {
      const shown = this.#templates.templates.get(externalId)
      if (!shown || this.#reviews.get(externalId) !== round) return
      this.#templates.change(externalId, { status })
      this.#news(status, { externalId, name: shown.name, language: shown.language })
    })
  }

  #news(event: string, ref: TemplateRef): void {
    const value = {
      event,
      message_template_id: ref.externalId,
      message_template_name: ref.name,
      message_template_language: ref.language,
    }
    this.front.deps.journal.note('platform', `${ref.name} is ${event}`)
    this.front.news({ kind: 'STATUS', ref, value, at: this.front.now() })
  }
}
