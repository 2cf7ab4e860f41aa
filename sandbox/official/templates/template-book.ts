import type { Clock } from '../../../src/ports/clock.ts'
import { DONE, type Acted } from '../http/acted.ts'
import type { Fields } from '../http/fields.ts'
import { UploadShelf } from '../media/upload-shelf.ts'
import type { OfficialAccount } from '../registry/registry.ts'
import type { Change } from '../webhooks/webhooks.ts'
import { fillTemplate, type FilledTemplate } from './fill-template.ts'
import type { TemplateMessage } from './message-shape.ts'
import { readDeletion, readEdit, readSubmission, type SubmissionFacts } from './submission.ts'
import { refusal } from './template-error.ts'
import { templateFields } from './template-fields.ts'
import { listTemplates } from './template-list.ts'
import { TemplateReview } from './template-review.ts'
import { TemplateShelf } from './template-shelf.ts'
import { newTemplate, type NewTemplate, type PlatformTemplate } from './template.ts'

const DAY_MS = 86_400_000
/** Upstream's limit of templates of a verified account. */
const MAX_TEMPLATES = 6_000
/** Upstream's limits of changes of an approved template, in a day and in 30 days. */
const EDITS = [
  { max: 1, periodMs: DAY_MS, period: '24 hour' },
  { max: 10, periodMs: 30 * DAY_MS, period: '30 day' },
] as const
const EDITABLE: ReadonlySet<string> = new Set(['APPROVED', 'REJECTED', 'PAUSED'])

export interface TemplateBookParts {
  readonly clock: Clock
  readonly flows: SubmissionFacts['flows']
  send(change: Change): void
}

/** Templates of accounts: made, changed, listed and deleted by upstream's rules. */
export class TemplateBook {
  readonly shelf: TemplateShelf
  readonly review: TemplateReview
  /** Files of apps, for samples. */
  readonly uploads: UploadShelf
  readonly #parts: TemplateBookParts

  constructor(parts: TemplateBookParts) {
    this.#parts = parts
    this.uploads = new UploadShelf(parts.clock)
    this.shelf = new TemplateShelf(parts.clock)
    this.review = new TemplateReview({ clock: parts.clock, shelf: this.shelf, send: (change) => parts.send(change) })
  }

  /** Body of `POST /{accountId}/message_templates`. */
  create(account: OfficialAccount, body: Fields): Acted {
    const { id: accountId } = account
    const submission = readSubmission(body, { uploads: this.uploads, account, flows: this.#parts.flows })
    const { name, language, category } = submission
    this.#assertFree(accountId, name, language)
    if (this.shelf.count(accountId) >= MAX_TEMPLATES)
      throw refusal('tooMany', 'Too many templates', `An account has ${MAX_TEMPLATES} templates at most.`)
    const template = this.put({ ...submission, accountId, status: 'PENDING' })
    this.review.submitted(template)
    return { body: { id: template.id, status: template.status, category } }
  }

  /** Makes a template past all rules. */
  put(parts: NewTemplate): PlatformTemplate {
    const template = newTemplate(parts)
    this.shelf.add(template)
    return template
  }

  /** Body of `POST /{templateId}`: another wording or category, which goes back to review. */
  edit(account: OfficialAccount, template: PlatformTemplate, body: Fields): Acted {
    this.#assertEditable(template)
    const edit = readEdit(template, body, { uploads: this.uploads, account, flows: this.#parts.flows })
    if (template.status === 'APPROVED') {
      if (edit.category !== template.category)
        throw refusal(null, 'Category is fixed', "The category of an approved template can't be changed.")
      template.edits = [...template.edits, this.#parts.clock.now()]
    }
    Object.assign(template, { ...edit, status: 'PENDING', rejectedReason: 'NONE', revision: template.revision + 1 })
    this.review.submitted(template)
    return { body: { success: true, id: template.id, name: template.name, category: template.category } }
  }

  /** Deletes by the query of `DELETE /{accountId}/message_templates`: by name all languages, with an id one of them. */
  delete({ id: accountId }: OfficialAccount, given: Fields): Acted {
    const { ids, name } = readDeletion(given)
    const found = this.shelf
      .of(accountId)
      .filter((template) => (ids === null || ids.includes(template.id)) && (name === null || template.name === name))
    if (found.length === 0)
      throw refusal('gone', 'Message template not found', "The message template you tried to delete doesn't exist.")
    if (found.some(({ status }) => status === 'DISABLED'))
      throw refusal('notEditable', "Template can't be deleted", "A disabled template can't be deleted.")
    const changes = found.flatMap((template) => this.review.apply(template, { event: 'DELETED' }))
    return { ...DONE, after: () => changes.forEach((change) => this.#parts.send(change)) }
  }

  /** Ends a pause. */
  unpause(template: PlatformTemplate): Acted {
    if (template.status !== 'PAUSED')
      throw refusal('notEditable', "Template can't be unpaused", 'Only a paused template can be unpaused.')
    const changes = this.review.apply(template, { event: 'APPROVED', title: 'UNPAUSE' })
    return { ...DONE, after: () => changes.forEach((change) => this.#parts.send(change)) }
  }

  /** A page of an account's templates. `url` is without its query. */
  list({ id }: OfficialAccount, query: URLSearchParams, url: string): object {
    return listTemplates(this.shelf.of(id), query, url, (template) => this.present(template, query.get('fields'), url))
  }

  /** A template as read. */
  present(template: PlatformTemplate, fields: string | null, url: string): Fields {
    const { origin } = new URL(url)
    return templateFields(template, fields, (handle) => this.uploads.urlOf(handle, origin))
  }

  /** The template that a message of an account names, with what was sent for it. `content` is valid. */
  fill(accountId: string, content: unknown): FilledTemplate {
    const filled = fillTemplate(this.shelf, accountId, content as TemplateMessage)
    for (const { flow } of filled.buttons) if (flow) this.#parts.flows.take(accountId, flow, false)
    return filled
  }

  reset(): void {
    this.shelf.clear()
    this.review.reset()
    this.uploads.clear()
  }

  #assertFree(accountId: string, name: string, language: string): void {
    const other = this.shelf.named(accountId, name, language)
    if (this.shelf.isBlocked(accountId, name, language) || other?.status === 'PENDING_DELETION') {
      throw refusal(
        'beingDeleted',
        'Message template is being deleted',
        `New content in ${language} can't be added while the old content in ${language} is being deleted. Try again in 4 weeks.`,
      )
    }
    if (other)
      throw refusal(
        'exists',
        'Content in this language already exists',
        `There is already content in ${language} for this template.`,
      )
  }

  #assertEditable({ status, edits }: PlatformTemplate): void {
    if (!EDITABLE.has(status))
      throw refusal('notEditable', "Template can't be edited", `A template of status ${status} can't be edited.`)
    if (status !== 'APPROVED') return
    const nowMs = this.#parts.clock.now()
    const over = EDITS.find(({ max, periodMs }) => edits.filter((atMs) => atMs > nowMs - periodMs).length >= max)
    if (over)
      throw refusal(
        'notEditable',
        "Template can't be edited",
        `You can only edit an active template up to ${over.max} time(s) in a ${over.period} window.`,
      )
  }
}
