import { isFields, own } from '../../../../src/domain/json-fields.ts'
import { checkKeys, checkRequired, checkType, typeOf } from './checks.ts'
import { COMPONENTS, isSince } from './components.ts'
import type { Findings } from './findings.ts'
import type { Path } from './place.ts'
import type { Placed, Version } from './walk.ts'

/** Properties that are lists in the document and may not be empty. */
const FILLED = ['data-source', 'list-items', 'images', 'then']

/** Checks a component by itself: its type, its properties and their values. */
export function checkComponent(findings: Findings, { component, path }: Placed, version: Version): void {
  const type = own(component, 'type')
  if (type === undefined)
    return findings.add('MISSING_REQUIRED_TYPE_PROPERTY', "Required property 'type' is missing.", path)
  if (!checkType(findings, component, path, 'type', 'name')) return
  const kind = COMPONENTS.get(String(type))
  if (!kind || !isSince(version, kind.since)) {
    return findings.add(
      'INVALID_PROPERTY_VALUE',
      `Invalid value found for property 'type': version ${version} has no component ${String(type)}.`,
      [...path, 'type'],
    )
  }
  const { properties } = kind
  const known = (key: string) =>
    key === 'type' || (Object.hasOwn(properties, key) && isSince(version, properties[key]?.since ?? ''))
  checkKeys(findings, component, path, known)
  checkRequired(
    findings,
    component,
    path,
    Object.keys(properties).filter((name) => properties[name]?.isRequired),
  )
  for (const [name, { kind: wanted }] of Object.entries(properties))
    if (known(name)) checkType(findings, component, path, name, wanted)
  for (const name of FILLED) {
    const value = own(component, name)
    if (Array.isArray(value) && value.length === 0)
      findings.add('MIN_ITEMS_REQUIRED', `Property '${name}' should have at least '1' items.`, [...path, name])
  }
}

/** Reports a value that stands in place of a component. */
export function checkNoComponent(findings: Findings, value: unknown, path: Path): void {
  if (!isFields(value))
    findings.add('INVALID_PROPERTY_TYPE', `Expected a component, an object, but found ${typeOf(value)}.`, path)
}
