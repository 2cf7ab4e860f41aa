import { own, type Fields } from '../../../../src/domain/json-fields.ts'
import type { Findings } from './findings.ts'
import { rootedText } from './findings.ts'
import type { Path } from './place.ts'

/**
 * Kinds of values that a property may have. A text that is worked out on the phone may stand for any but a name and
 * components. `either` is a text, a number, or an object for a range of dates.
 */
export type Kind = 'name' | 'text' | 'texts' | 'flag' | 'number' | 'list' | 'fields' | 'components' | 'either'

/** What a value is, in the words of JSON. */
export function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

const TYPES: Readonly<Record<Kind, readonly string[]>> = {
  name: ['string'],
  text: ['string'],
  texts: ['string', 'array'],
  flag: ['boolean'],
  number: ['number', 'string'],
  list: ['array'],
  fields: ['object'],
  components: ['array'],
  either: ['string', 'number', 'boolean', 'array', 'object'],
}

/** A text that is worked out on the phone: `${data.x}`, `${form.x}`, or an expression between backticks. */
function isDynamic(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('${') || (value.startsWith('`') && value.endsWith('`')))
}

/** True when a value has the kind that it must have, or is absent; reports it otherwise. */
export function checkType(findings: Findings, parent: Fields, path: Path, name: string, kind: Kind): boolean {
  const value = own(parent, name)
  if (
    value === undefined
    || TYPES[kind].includes(typeOf(value))
    || (kind !== 'name' && kind !== 'components' && isDynamic(value))
  )
    return true
  const at = [...path, name]
  findings.add(
    'INVALID_PROPERTY_TYPE',
    `Expected property '${rootedText(at)}' to be of type ${TYPES[kind].join(' or ')}, but found ${typeOf(value)}.`,
    at,
  )
  return false
}

export function checkKeys(findings: Findings, fields: Fields, path: Path, isKnown: (key: string) => boolean): void {
  for (const key of Object.keys(fields)) {
    if (!isKnown(key))
      findings.add(
        'INVALID_PROPERTY_KEY',
        `The property "${key}" cannot be specified at "${rootedText(path)}".`,
        [...path, key],
        true,
      )
  }
}

export function checkRequired(findings: Findings, fields: Fields, path: Path, names: readonly string[]): void {
  for (const name of names) {
    if (own(fields, name) === undefined)
      findings.add(
        'MISSING_REQUIRED_PROPERTY',
        `Required property '${name}' is missing at "${rootedText(path)}".`,
        path,
      )
  }
}
