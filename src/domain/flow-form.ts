import { codePointsOf, isBlank } from './characters.ts'
import { fail, succeed } from './errors.ts'
import type { Outcome, Refusal } from './errors.ts'
import { checkFlowDocument, isLargeDocument } from './flow-document.ts'
import { refuseFlow } from './flow-refusals.ts'
import { FLOW_CATEGORIES } from './flow.ts'
import type { FlowCategory } from './flow.ts'
import { isFields, own } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

/** Code points of a name at most ([flows.routes.2]; what counts as a character is our choice). */
export const FLOW_NAME_LENGTH = 200
const CONTROL = /\p{Cc}/u

export interface GivenFlow {
  readonly name: string
  /** Null when the body names none. */
  readonly categories: readonly FlowCategory[] | null
  /** A text that is not blank, whatever it names; null when there is none. */
  readonly cloneFromFlowId: string | null
}

/** What a change of a Flow gives; null leaves the field as it is. */
export interface GivenFlowPatch {
  readonly name: string | null
  readonly categories: readonly FlowCategory[] | null
}

/** Reads the body of a creation ([flows.routes.2]). The source that it names is looked up later. */
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

/** Reads the body of a change of name or categories ([flows.routes.5]). */
export function readFlowPatch(body: unknown): Outcome<GivenFlowPatch> {
  const fields = fieldsOf(body, ['name', 'categories'])
  if (!fields.ok) return fields
  const given = fields.value
  if (own(given, 'name') === undefined && own(given, 'categories') === undefined)
    return fail(refuseFlow('FLOW_PATCH_EMPTY'))
  const asked = own(given, 'name')
  // null would take the name away: in a creation it counts as a missing name, here as one that cannot be used.
  if (asked === null) return fail(nameFault('FORM', 'it must be a text'))
  const name = asked === undefined ? succeed(null) : nameOf(asked)
  if (!name.ok) return name
  const categories = categoriesOf(own(given, 'categories'))
  return categories.ok ? succeed({ name: name.value, categories: categories.value }) : categories
}

/**
 * Reads the document of an upload, as it is to go up. A blank one counts as missing. A large one is checked later, once
 * its Flow was found.
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

/** Reads the body of a publication: `confirm` must be the boolean true ([flows.routes.8]). */
export function readFlowConfirmation(body: unknown): Outcome<null> {
  const fields = fieldsOf(body, ['confirm'])
  if (!fields.ok) return fields
  return own(fields.value, 'confirm') === true ? succeed(null) : fail(refuseFlow('FLOW_PUBLISH_REQUIRES_CONFIRMATION'))
}

/** Reads the successor that a deprecation names; null when there is none. */
export function readFlowSuccessor(body: unknown): Outcome<string | null> {
  const fields = fieldsOf(body, ['supersededByFlowId'])
  return fields.ok
    ? idOf(own(fields.value, 'supersededByFlowId'), refuseFlow('FLOW_DEPRECATE_INVALID_SUCCESSOR'))
    : fields
}

/** Reads the body of a route that takes no field. */
export function readNoFields(body: unknown): Outcome<null> {
  const fields = fieldsOf(body, [])
  return fields.ok ? succeed(null) : fields
}

/** A missing body is read as an empty object ([flows.scope.3]). */
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

/**
 * Refuses a name. NOT_UNIQUE is upstream's reason ([flows.errors.8]); the names of the other reasons are our choice.
 */
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

/** Reads a text that may name a Flow; null when it is absent. */
function idOf(value: unknown, refusal: Refusal): Outcome<string | null> {
  if (value === undefined || value === null) return succeed(null)
  return typeof value === 'string' && !isBlank(value) ? succeed(value) : fail(refusal)
}
