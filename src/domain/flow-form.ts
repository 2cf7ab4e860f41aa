import { codePointsOf, isBlank } from './characters.ts'
import { fail, succeed } from './errors.ts'
import type { Outcome, Refusal } from './errors.ts'
import { checkFlowDocument, isLargeDocument } from './flow-document.ts'
import { refuseFlow } from './flow-refusals.ts'
import { FLOW_CATEGORIES } from './flow.ts'
import type { FlowCategory } from './flow.ts'
import { isFields, own } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

/** contract 11; in characters, surrogate pairs as one (our choice). */
export const FLOW_NAME_LENGTH = 200
const CONTROL = /\p{Cc}/u

export interface GivenFlow {
  readonly name: string
  /** Null: not named. */
  readonly categories: readonly FlowCategory[] | null
  /** A text that says something, whatever it is; null: none. */
  readonly cloneFromFlowId: string | null
}

/** What is null stays. */
export interface GivenFlowPatch {
  readonly name: string | null
  readonly categories: readonly FlowCategory[] | null
}

/** The body of a creation, checked but for the source it names (contract 11). */
export function readFlowCreation(body: unknown): Outcome<GivenFlow> {
  const fields = fieldsOf(body, ['name', 'categories', 'cloneFromFlowId'])
  if (!fields.ok) return fields
  const name = nameOf(own(fields.value, 'name'))
  if (!name.ok) return name
  const categories = categoriesOf(own(fields.value, 'categories'))
  if (!categories.ok) return categories
  const source = idOf(own(fields.value, 'cloneFromFlowId'), refuseFlow('FLOW_CLONE_SOURCE_INVALID'))
  return source.ok ? succeed({ name: name.value, categories: categories.value, cloneFromFlowId: source.value }) : source
}

/** The body of a change of name or categories. */
export function readFlowPatch(body: unknown): Outcome<GivenFlowPatch> {
  const fields = fieldsOf(body, ['name', 'categories'])
  if (!fields.ok) return fields
  const given = fields.value
  if (own(given, 'name') === undefined && own(given, 'categories') === undefined)
    return fail(refuseFlow('FLOW_PATCH_EMPTY'))
  const asked = own(given, 'name')
  // null would take the name away: of a creation it is one that is missing, here one that cannot be.
  if (asked === null) return fail(nameFault('FORM', 'it must be a text'))
  const name = asked === undefined ? succeed(null) : nameOf(asked)
  if (!name.ok) return name
  const categories = categoriesOf(own(given, 'categories'))
  return categories.ok ? succeed({ name: name.value, categories: categories.value }) : categories
}

/**
 * The document of an upload, as it is to go up. Blank is none. What is in a large one is looked at later, once its Flow
 * was found.
 */
export function readFlowDocument(body: unknown): Outcome<string> {
  const form = objectOf(body)
  if (!form.ok) return form
  const flowJson = own(form.value, 'flowJson') ?? null
  if (flowJson !== null && typeof flowJson !== 'string')
    return fail(refuseFlow('FLOW_BODY_INVALID', undefined, 'flowJson must be a string'))
  const fields = fieldsOf(body, ['flowJson'])
  if (!fields.ok) return fields
  if (flowJson === null || isBlank(flowJson)) return fail(refuseFlow('FLOW_JSON_REQUIRED'))
  return isLargeDocument(flowJson) ? succeed(flowJson) : checkFlowDocument(flowJson)
}

/** The body of a publication: `confirm` is the boolean true and nothing like it. */
export function readFlowConfirmation(body: unknown): Outcome<null> {
  const fields = fieldsOf(body, ['confirm'])
  if (!fields.ok) return fields
  return own(fields.value, 'confirm') === true ? succeed(null) : fail(refuseFlow('FLOW_PUBLISH_REQUIRES_CONFIRMATION'))
}

/** The successor that a deprecation names; null: none. */
export function readFlowSuccessor(body: unknown): Outcome<string | null> {
  const fields = fieldsOf(body, ['supersededByFlowId'])
  return fields.ok
    ? idOf(own(fields.value, 'supersededByFlowId'), refuseFlow('FLOW_DEPRECATE_INVALID_SUCCESSOR'))
    : fields
}

/** The body of a route that takes no field. */
export function readNoFields(body: unknown): Outcome<null> {
  const fields = fieldsOf(body, [])
  return fields.ok ? succeed(null) : fields
}

/** No body is an empty one (contract 11). */
function objectOf(body: unknown): Outcome<Fields> {
  if (body === undefined) return succeed({})
  return isFields(body) ? succeed(body) : fail(refuseFlow('FLOW_BODY_INVALID', undefined, 'send a JSON object'))
}

function fieldsOf(body: unknown, known: readonly string[]): Outcome<Fields> {
  const form = objectOf(body)
  if (!form.ok) return form
  const unknown = Object.keys(form.value).filter((key) => !known.includes(key))
  return unknown.length > 0
    ? fail(refuseFlow('FLOW_UNKNOWN_FIELDS', unknown, unknown.slice(0, 5).join(', ').slice(0, 200)))
    : form
}

function nameOf(value: unknown): Outcome<string> {
  if (value === undefined || value === null) return fail(refuseFlow('FLOW_NAME_REQUIRED'))
  if (typeof value !== 'string') return fail(nameFault('FORM', 'it must be a text'))
  if (isBlank(value)) return fail(nameFault('BLANK', 'it is blank'))
  if (codePointsOf(value) > FLOW_NAME_LENGTH)
    return fail(nameFault('TOO_LONG', `it has more than ${FLOW_NAME_LENGTH} characters`))
  return CONTROL.test(value) ? fail(nameFault('CONTROL_CHARACTERS', 'it has control characters')) : succeed(value)
}

/** Our names but for NOT_UNIQUE, which is told by upstream. */
export function nameFault(
  reason: 'FORM' | 'BLANK' | 'TOO_LONG' | 'CONTROL_CHARACTERS' | 'NOT_UNIQUE',
  said: string,
): Refusal {
  return refuseFlow('FLOW_NAME_INVALID', { reason }, said)
}

function categoriesOf(value: unknown): Outcome<readonly FlowCategory[] | null> {
  if (value === undefined) return succeed(null)
  if (!Array.isArray(value) || value.length === 0)
    return fail(refuseFlow('FLOW_CATEGORY_INVALID', undefined, 'send a list of at least one'))
  const known = FLOW_CATEGORIES.filter((category) => value.includes(category))
  if (known.length !== value.length)
    return fail(refuseFlow('FLOW_CATEGORY_INVALID', undefined, `each once, of ${FLOW_CATEGORIES.join(', ')}`))
  return succeed(value as readonly FlowCategory[])
}

/** A text that may name a Flow; null is absent. */
function idOf(value: unknown, refusal: Refusal): Outcome<string | null> {
  if (value === undefined || value === null) return succeed(null)
  return typeof value === 'string' && !isBlank(value) ? succeed(value) : fail(refusal)
}
