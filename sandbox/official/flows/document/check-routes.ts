import { isFields, own } from '../../../../src/domain/json-fields.ts'
import type { Screen } from './check-screen.ts'
import { typeOf } from './checks.ts'
import type { Findings } from './findings.ts'
import type { Path } from './place.ts'

/** Upstream's limit of routes from one screen. */
const MAX_BRANCHES = 10
const NO_ENTRY =
  'No entry screen found in the routing model. Expected a screen with no inbound edges as the entry screen.'

interface Route {
  readonly from: string
  readonly to: string
  readonly path: Path
}

/** Checks that each action leads to another existing screen. */
export function checkTargets(findings: Findings, screens: readonly Screen[]): void {
  const ids = new Set(screens.map(({ id }) => id))
  for (const { id, targets } of screens) {
    for (const { screen, path } of targets) {
      if (!ids.has(screen))
        findings.add('INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', `Unknown screen ids found: [${screen}].`, path)
      else if (screen === id)
        findings.add(
          'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME',
          `Same screen navigation is not allowed. Loop detected at [${screen}].`,
          path,
        )
    }
  }
}

/** The routes of a routing model, each between existing screens. */
function routesIn(
  findings: Findings,
  model: Readonly<Record<string, unknown>>,
  ids: ReadonlySet<string | null>,
): Route[] {
  const routes: Route[] = []
  for (const from of Object.keys(model)) {
    const path = ['routing_model', from]
    if (!ids.has(from))
      findings.add('INVALID_ROUTING_MODEL', `Invalid screens found in the routing model: ${from}.`, path, true)
    const targets = own(model, from)
    if (!Array.isArray(targets)) {
      findings.add(
        'INVALID_PROPERTY_TYPE',
        `Expected property '$root/routing_model/${from}' to be of type array, but found ${typeOf(targets)}.`,
        path,
      )
      continue
    }
    if (targets.length > MAX_BRANCHES)
      findings.add(
        'INVALID_ROUTING_MODEL',
        `Number of branches exceeds the max limit of ${MAX_BRANCHES} for screen: ${from}.`,
        path,
      )
    for (const [at, to] of targets.entries() as IterableIterator<[number, unknown]>) {
      if (typeof to === 'string' && ids.has(to)) routes.push({ from, to, path: [...path, at] })
      else
        findings.add('INVALID_ROUTING_MODEL', `Invalid screen found in the routing model: ${String(to)}.`, [
          ...path,
          at,
        ])
    }
  }
  return routes
}

function isEntered(screens: readonly Screen[], routes: readonly Pick<Route, 'from' | 'to'>[]): boolean {
  const reached = new Set(routes.filter(({ from, to }) => from !== to).map(({ to }) => to))
  return screens.length === 0 || screens.some(({ id }) => id === null || !reached.has(id))
}

function checkModel(
  findings: Findings,
  screens: readonly Screen[],
  model: Readonly<Record<string, unknown>>,
  hasEndpoint: boolean,
): void {
  const ids = new Set(screens.map(({ id }) => id))
  const routes = routesIn(findings, model, ids)
  const seen = new Set<string>()
  for (const { from, to, path } of routes) {
    if (from === to)
      findings.add('INVALID_ROUTING_MODEL', `Loop detected in the routing model for screens: ${from}.`, path)
    else if (seen.has(`${to} ${from}`))
      findings.add(
        'INVALID_ROUTING_MODEL',
        `Backward route [${from}->${to}] corresponding to forward route [${to}->${from}] is not allowed in the routing model. Only forward routes can be specified.`,
        path,
      )
    seen.add(`${from} ${to}`)
  }
  if (!isEntered(screens, routes)) findings.add('INVALID_ROUTING_MODEL', NO_ENTRY, ['routing_model'])
  if (!hasEndpoint) return
  for (const { id, targets } of screens) {
    if (id === null) continue
    if (!Object.hasOwn(model, id))
      findings.add('INVALID_ROUTING_MODEL', `Following screens are missing in the routing model: ${id}.`, [
        'routing_model',
      ])
    for (const { screen, path } of targets) {
      if (ids.has(screen) && screen !== id && !seen.has(`${id} ${screen}`)) {
        findings.add(
          'INVALID_ROUTING_MODEL',
          `Missing direct route from screen '${id}' to screen '${screen}' in the routing model, while it exists in the navigate screen action of screen '${id}'.`,
          path,
        )
      }
    }
  }
}

/** Checks how screens follow each other: by the model, or without one by the actions. */
export function checkRoutes(
  findings: Findings,
  screens: readonly Screen[],
  model: unknown,
  hasEndpoint: boolean,
): void {
  if (isFields(model) && (hasEndpoint || Object.keys(model).length > 0))
    return checkModel(findings, screens, model, hasEndpoint)
  if (hasEndpoint) return
  const routes = screens.flatMap(({ id, targets }) =>
    id === null ? [] : targets.map(({ screen }) => ({ from: id, to: screen })),
  )
  if (!isEntered(screens, routes))
    findings.add(
      'INVALID_ROUTING_MODEL',
      'No entry screen found in the routing model. Add a screen that is not used as the next screen in any of the navigate actions.',
      ['screens'],
    )
}
