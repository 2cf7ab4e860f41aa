import { z } from 'zod'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Change } from '../webhooks/webhooks.ts'
import * as told from './template-changes.ts'
import type { TemplateShelf } from './template-shelf.ts'
import type { PlatformTemplate } from './template.ts'

const HOUR_MS = 3_600_000
/** A review takes 1 s unless it is set otherwise ([sandbox.templates-and-flows.18]). */
const REVIEW_MS = 1_000
/** Upstream's lengths of a pause, ms. */
const PAUSES_MS: ReadonlyMap<string, number> = new Map([
  ['FIRST_PAUSE', 3 * HOUR_MS],
  ['SECOND_PAUSE', 6 * HOUR_MS],
])

/** Body of `POST /control/official/review`. */
export const reviewOptionsSchema = z.object({
  /** `auto` decides by itself, `manual` waits for a decision. */
  mode: z.enum(['auto', 'manual']).default('auto'),
  delayMs: z
    .int()
    .min(0)
    .max(24 * HOUR_MS)
    .default(REVIEW_MS),
})
export type ReviewOptions = z.infer<typeof reviewOptionsSchema>

/** Body of `POST /control/official/templates/{id or name}`. */
export const templateTurnSchema = z.object({
  /** One of upstream's words for a status, or any other. */
  event: z
    .string()
    .toUpperCase()
    .regex(/^[A-Z_]{1,64}$/)
    .optional(),
  reason: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).optional(),
  /** The category from now on. */
  category: z.string().min(1).optional(),
  /** The category to come, told by a notice. */
  correctCategory: z.string().min(1).optional(),
  /** The category to come, told by the detection. */
  detectedCategory: z.string().min(1).optional(),
  /** A new wording, past all rules. */
  components: z
    .array(z.looseObject({ type: z.string() }))
    .min(1)
    .optional(),
  /** Status that reads show, without a webhook. */
  status: z.string().min(1).optional(),
  /** True when no webhook tells of it. */
  isSilent: z.boolean().default(false),
  /** The language of the template meant; the webhook writes it as given here. */
  language: z.string().optional(),
  accountId: z.string().optional(),
})
export type TemplateTurn = z.input<typeof templateTurnSchema>

/** Statuses of events whose status has another name. */
const STATUSES: ReadonlyMap<string, string> = new Map([
  ['FLAGGED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['UNARCHIVED', 'APPROVED'],
])
const OWN_STATUSES: ReadonlySet<string> = new Set([
  'APPROVED',
  'PENDING',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'LIMIT_EXCEEDED',
  'LOCKED',
  'ARCHIVED',
])

export interface ReviewParts {
  readonly clock: Clock
  readonly shelf: TemplateShelf
  send(change: Change): void
}

/** Reviews, pauses and rates templates, and tells of it. */
export class TemplateReview {
  readonly #parts: ReviewParts
  #options: ReviewOptions = reviewOptionsSchema.parse({})

  constructor(parts: ReviewParts) {
    this.#parts = parts
  }

  /** Sets how templates submitted from now on are reviewed. */
  configure(options: ReviewOptions): void {
    this.#options = options
  }

  /** Takes a wording that waits for its review. */
  submitted(template: PlatformTemplate): void {
    const { mode, delayMs } = this.#options
    if (mode === 'manual') return
    this.#later(template, delayMs, () =>
      template.name.endsWith('_rejected') ? { event: 'REJECTED', reason: 'INVALID_FORMAT' } : { event: 'APPROVED' },
    )
  }

  /** Changes a template and tells of it. */
  turn(template: PlatformTemplate, turn: TemplateTurn): void {
    for (const change of this.apply(template, turn)) this.#parts.send(change)
  }

  /** Changes a template and answers the changes to tell. */
  apply(template: PlatformTemplate, turn: TemplateTurn): Change[] {
    const { status, quality, category, correctCategory, detectedCategory, components, isSilent, language } = turn
    const nowMs = this.#parts.clock.now()
    const changes: Change[] = []
    if (status !== undefined) this.#become(template, status)
    if (turn.event !== undefined) changes.push(this.#applyEvent(template, turn.event, turn))
    if (quality !== undefined) {
      const before = template.quality
      template.quality = quality
      changes.push(told.qualityChange(template, before, language))
    }
    if (category !== undefined) {
      const before = template.category
      Object.assign(template, { category, previousCategory: before, correctCategory: null })
      changes.push(told.categoryChange(template, before, language))
    }
    if (correctCategory !== undefined) {
      template.correctCategory = correctCategory
      changes.push(told.categoryNotice(template, correctCategory, nowMs, language))
    }
    if (detectedCategory !== undefined) {
      template.correctCategory = detectedCategory
      changes.push(told.categoryDetection(template, detectedCategory, language))
    }
    if (components !== undefined) {
      template.components = components
      changes.push(told.componentsChange(template, language))
    }
    return isSilent === true ? [] : changes
  }

  reset(): void {
    this.#options = reviewOptionsSchema.parse({})
  }

  #applyEvent(template: PlatformTemplate, event: string, turn: TemplateTurn): Change {
    const reason = turn.reason ?? (event === 'REJECTED' ? 'INVALID_FORMAT' : undefined)
    const status = STATUSES.get(event) ?? (OWN_STATUSES.has(event) ? event : template.status)
    this.#become(template, status, event === 'REJECTED' ? reason : undefined)
    if (event === 'DELETED') this.#parts.shelf.remove(template)
    const pauseMs = event === 'PAUSED' ? PAUSES_MS.get(turn.title ?? 'FIRST_PAUSE') : undefined
    if (pauseMs !== undefined) this.#later(template, pauseMs, () => ({ event: 'APPROVED', title: 'UNPAUSE' }))
    return told.statusChange(template, event, { ...turn, reason }, this.#parts.clock.now(), turn.language)
  }

  #become(template: PlatformTemplate, status: string, rejectedReason: string = 'NONE'): void {
    template.status = status
    template.rejectedReason = rejectedReason
    template.wasApproved ||= status === 'APPROVED'
    template.revision++
  }

  /** Changes a template later, unless something else changes it before. */
  #later(template: PlatformTemplate, delayMs: number, turnOf: () => TemplateTurn): void {
    const { clock, shelf } = this.#parts
    const { revision } = template
    clock.after(delayMs, () => {
      if (shelf.find(template.id) === template && template.revision === revision) this.turn(template, turnOf())
    })
  }
}
