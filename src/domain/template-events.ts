import { fieldsIn, own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import { storableName } from './storable.ts'
import { TEMPLATE_NAME_LENGTH } from './template-name.ts'
import { isKnownStatus, templateCategoryOf, templateStatusOf } from './template-upstream.ts'
import { isOneOf, TEMPLATE_QUALITIES } from './template.ts'
import type { Template } from './template.ts'

/** What upstream tells of a template by a webhook. It tells only parts of a new wording, so that is read anew. */
export type TemplateEventKind = 'STATUS' | 'QUALITY' | 'COMPONENTS' | 'CATEGORY' | 'CORRECT_CATEGORY'

/** Names the template of an event: by id first, else by name and language ([templates.account-changes.1]). */
export interface TemplateRef {
  /** Digits; null when it was not told, or told as a number that cannot be exact. */
  readonly externalId: string | null
  readonly name: string | null
  readonly language: string | null
}

/** What events tell, each apart from the others. */
export type ToldMatter = 'status' | 'quality' | 'category'

/**
 * The `entry.time` of the last event that was applied to a row, for each matter apart, since an event tells one matter
 * and leaves the others.
 */
export interface AppliedTimes extends Readonly<Record<ToldMatter, Date | null>> {
  /** Upstream's id of the template that was told of, while that of the row is not known. */
  readonly of?: string
}

export const NEVER_APPLIED: AppliedTimes = { status: null, quality: null, category: null }

/** The fields of a row that events change. Whether the template can be sent follows from the status. */
export type TemplateChange = Partial<
  Pick<
    Template,
    | 'officialStatus'
    | 'upstreamStatus'
    | 'statusReason'
    | 'statusDescription'
    | 'quality'
    | 'category'
    | 'correctCategory'
  >
>

export type TemplateDecision =
  /** The event is older than what is known, or says nothing. */
  | { readonly kind: 'NONE' }
  /** In `DOUBT` upstream is asked first, and what was told counts only when upstream cannot be read. */
  | { readonly kind: 'CHANGE' | 'DOUBT'; readonly change: TemplateChange; readonly applied: AppliedTimes }
  | { readonly kind: 'REMOVE' }
  /** Only upstream can tell what holds now. */
  | { readonly kind: 'REREAD' }

const NONE: TemplateDecision = { kind: 'NONE' }
const REREAD: TemplateDecision = { kind: 'REREAD' }

/** Reads an id of upstream's as a text of digits; null for a number beyond 2^53, which has lost some. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null
  return typeof value === 'string' && /^\d{1,64}$/.test(value) ? value : null
}

/** Reads which template an event names. A name longer than any of upstream's names none. */
export function templateRefOf(value: Fields): TemplateRef {
  return {
    externalId: idOf(own(value, 'message_template_id')),
    name: storableName(textIn(value, 'message_template_name'), TEMPLATE_NAME_LENGTH),
    language: storableName(textIn(value, 'message_template_language')),
  }
}

/** Reads the reason of a status; NONE is upstream's word for none. */
function reasonOf(value: Fields): string | null {
  const reason = textIn(value, 'reason')
  return reason === 'NONE' ? null : reason
}

function statusDecision(value: Fields): TemplateDecision | TemplateChange {
  const word = textIn(value, 'event')?.toUpperCase() ?? ''
  if (!isKnownStatus(word)) return REREAD
  const officialStatus = templateStatusOf(word)
  if (officialStatus === null) return { kind: 'REMOVE' }
  const [pause, rejection] = [fieldsIn(value, 'other_info'), fieldsIn(value, 'rejection_info')]
  const texts = [textIn(pause, 'description'), textIn(rejection, 'reason'), textIn(rejection, 'recommendation')].filter(
    (text) => text !== null,
  )
  return {
    officialStatus,
    upstreamStatus: word,
    statusReason: reasonOf(value) ?? textIn(pause, 'title'),
    statusDescription: texts.length > 0 ? texts.join(' ') : null,
  }
}

function qualityChange(value: Fields): TemplateChange {
  const word = textIn(value, 'new_quality_score')?.toUpperCase()
  return { quality: isOneOf(TEMPLATE_QUALITIES, word) ? word : 'UNKNOWN' }
}

/**
 * Reads a change of category. With `correct_category` it is a notice, whose `new_category` is the present category
 * ([templates.account-changes.6]).
 */
function categoryChange(value: Fields): TemplateDecision | TemplateChange {
  const correct = own(value, 'correct_category')
  const isNotice = correct !== undefined && correct !== null
  const category = templateCategoryOf(isNotice ? correct : own(value, 'new_category'))
  if (category === null) return REREAD
  return isNotice ? { correctCategory: category } : { category }
}

function correctCategoryChange(value: Fields): TemplateDecision | TemplateChange {
  // A library of others types the field by the second name; upstream's document has the first.
  const category = templateCategoryOf(own(value, 'correct_category') ?? own(value, 'suggested_category'))
  return category === null ? REREAD : { correctCategory: category }
}

interface Matter {
  /** The time that the matter is measured by; null when its event carries no value. */
  readonly time: ToldMatter | null
  /**
   * The field that shows whether two events of one second agree; null when they may be of two fields, where the one
   * told later counts.
   */
  readonly word: 'upstreamStatus' | 'quality' | null
  read(value: Fields): TemplateDecision | TemplateChange
}

const MATTERS: Readonly<Record<TemplateEventKind, Matter>> = {
  STATUS: { time: 'status', word: 'upstreamStatus', read: statusDecision },
  QUALITY: { time: 'quality', word: 'quality', read: qualityChange },
  COMPONENTS: { time: null, word: null, read: () => REREAD },
  CATEGORY: { time: 'category', word: null, read: categoryChange },
  CORRECT_CATEGORY: { time: 'category', word: null, read: correctCategoryChange },
}

/** The fields of a row that events are measured by. */
export interface ToldOf extends Pick<Template, 'upstreamStatus' | 'quality' | 'correctCategory'> {
  readonly category: Template['category'] | null
  readonly applied: AppliedTimes
}

/** A row that no event has told anything of yet. */
export const UNTOLD: ToldOf = {
  upstreamStatus: null,
  quality: 'UNKNOWN',
  category: null,
  correctCategory: null,
  applied: NEVER_APPLIED,
}

/**
 * The times of a row after a read. A read has no time of upstream's, so what it changed is forgotten to have been told:
 * older news may come behind it, and are then in doubt.
 */
export function appliedAfterRead(
  { applied, ...row }: ToldOf,
  shown: Pick<ToldOf, 'upstreamStatus' | 'quality' | 'category' | 'correctCategory'>,
): AppliedTimes {
  const hasCategory = shown.category === row.category && shown.correctCategory === row.correctCategory
  return {
    status: shown.upstreamStatus === row.upstreamStatus ? applied.status : null,
    quality: shown.quality === row.quality ? applied.quality : null,
    category: hasCategory ? applied.category : null,
  }
}

/**
 * Decides what an event changes of a row. `at` is its `entry.time`: an event older than the last applied is ignored
 * ([templates.account-changes.3]). Of two in one second that disagree either may be the newer, and so may be what the
 * service itself changed or read, which has no time of upstream's.
 */
export function decideTemplateEvent(kind: TemplateEventKind, value: Fields, at: Date, row: ToldOf): TemplateDecision {
  const { time, word, read } = MATTERS[kind]
  const last = time === null ? null : row.applied[time]
  if (last !== null && at.getTime() < last.getTime()) return NONE
  const said = read(value)
  if ('kind' in said) return said
  const isSameSecond = last?.getTime() === at.getTime() && word !== null
  const isDoubtful = (last === null || isSameSecond) && !isShown(said, row)
  return {
    kind: isDoubtful ? 'DOUBT' : 'CHANGE',
    change: said,
    applied: time === null ? row.applied : { ...row.applied, [time]: at },
  }
}

/** True when a row shows what was said. The texts of a status have no word of their own to disagree by. */
function isShown(said: TemplateChange, row: ToldOf): boolean {
  const { upstreamStatus, quality, category, correctCategory } = { ...row, ...said }
  return (
    upstreamStatus === row.upstreamStatus
    && quality === row.quality
    && category === row.category
    && correctCategory === row.correctCategory
  )
}

/**
 * Keeps of a creation's answer what no event overtook: status and category stay out where an event has told them
 * ([templates.account-changes.4]).
 */
export function afterCreation(answer: TemplateChange, applied: AppliedTimes): TemplateChange {
  const { officialStatus, upstreamStatus, statusReason, statusDescription, category, ...rest } = answer
  const status = { officialStatus, upstreamStatus, statusReason, statusDescription }
  const told = Object.fromEntries(
    Object.entries({ ...(applied.status ? {} : status), ...(applied.category ? {} : { category }) }).filter(
      ([, one]) => one !== undefined,
    ),
  )
  return { ...rest, ...told }
}
