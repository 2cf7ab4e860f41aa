import { isFields, own, type Fields } from '../../../../src/domain/json-fields.ts'
import { isSince, type VERSIONS } from './components.ts'
import type { Path } from './place.ts'

export type Version = (typeof VERSIONS)[number]

/** A branch of an If or a Switch, and the one around it. */
interface Branch {
  readonly of: object
  readonly name: string
  readonly up: Branch | null
}

/** A component and its place. */
export interface Placed {
  readonly component: Fields
  readonly path: Path
  readonly branch: Branch | null
}

interface Waiting {
  readonly value: unknown
  readonly path: Path
  readonly branch: Branch | null
}

/** our choice: most components of one screen that are checked; upstream allows 50. */
const MAX_COMPONENTS = 20_000
/** our choice: deeper components are not checked, because their path would be longer than their content. */
const MAX_DEPTH = 500

/** Items of a list, without those beyond the components that are checked. */
function listed(value: unknown, path: Path, branch: Branch | null): Waiting[] {
  return Array.isArray(value)
    ? value.slice(0, MAX_COMPONENTS).map((one: unknown, at) => ({ value: one, path: [...path, at], branch }))
    : []
}

/** What a component contains, in the order of the text. */
function inside({ component, path, branch }: Placed, version: Version): Waiting[] {
  const type = own(component, 'type')
  if (type === 'Form') return listed(own(component, 'children'), [...path, 'children'], branch)
  if (!isSince(version, '4.0')) return []
  if (type === 'If')
    return ['then', 'else'].flatMap((name) =>
      listed(own(component, name), [...path, name], { of: component, name, up: branch }),
    )
  const cases = own(component, 'cases')
  if (type !== 'Switch' || !isFields(cases)) return []
  return Object.keys(cases).flatMap((name) =>
    listed(own(cases, name), [...path, 'cases', name], { of: component, name, up: branch }),
  )
}

/**
 * Walks the `children` of a layout and what they contain, outermost first. A value that is no object is passed on as it
 * is.
 */
export function* walk(
  children: unknown,
  path: Path,
  version: Version,
): Generator<Placed | { readonly value: unknown; readonly path: Path }> {
  const waiting = listed(children, path, null).toReversed()
  for (let seen = 0; seen < MAX_COMPONENTS; seen++) {
    const next = waiting.pop()
    if (!next) return
    if (!isFields(next.value)) {
      yield { value: next.value, path: next.path }
      continue
    }
    const placed: Placed = { component: next.value, path: next.path, branch: next.branch }
    yield placed
    if (next.path.length < MAX_DEPTH) waiting.push(...inside(placed, version).toReversed())
  }
}

function trailOf(branch: Branch | null): Map<object, string> {
  const trail = new Map<object, string>()
  for (let at = branch; at; at = at.up) trail.set(at.of, at.name)
  return trail
}

/** True when a user never sees both, because they are in two branches of one If or Switch. */
export function areApart(one: Placed, other: Placed): boolean {
  const trail = trailOf(one.branch)
  for (let at = other.branch; at; at = at.up) {
    const name = trail.get(at.of)
    if (name !== undefined && name !== at.name) return true
  }
  return false
}
