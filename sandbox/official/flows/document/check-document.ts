import { isFields, own, type Fields } from '../../../../src/domain/json-fields.ts'
import { checkRoutes, checkTargets } from './check-routes.ts'
import { checkScreen, type Screen } from './check-screen.ts'
import { checkKeys, checkRequired, checkType, typeOf } from './checks.ts'
import { isSince, VERSIONS } from './components.ts'
import type { Findings } from './findings.ts'
import type { Version } from './walk.ts'

/** Upstream's limit of screens in a Flow. */
const MAX_SCREENS = 100
const PROPERTIES = ['version', 'screens', 'routing_model', 'data_api_version']

/**
 * The version that a document is read by; null when it names no known one, without which nothing else can be checked.
 */
function versionOf(findings: Findings, document: Fields): Version | null {
  const version = own(document, 'version')
  if (version === undefined || version === '') {
    findings.add('MISSING_FLOW_JSON_VERSION', 'Flow JSON version is not specified.', version === '' ? ['version'] : [])
    return null
  }
  const known = VERSIONS.find((one) => one === version)
  if (known === undefined)
    findings.add('INVALID_FLOW_JSON_VERSION', `Invalid Flow JSON version. Known are ${VERSIONS.join(', ')}.`, [
      'version',
    ])
  return known ?? null
}

function screensOf(findings: Findings, document: Fields, version: Version): Screen[] {
  const given = own(document, 'screens')
  if (!checkType(findings, document, [], 'screens', 'components') || !Array.isArray(given)) return []
  if (given.length === 0)
    findings.add('MIN_ITEMS_REQUIRED', "Property 'screens' should have at least '1' items.", ['screens'])
  if (given.length > MAX_SCREENS)
    findings.add(
      'MAX_SCREENS_NUMBER',
      `Maximum number of screens allowed per Flow is ${MAX_SCREENS} but found ${given.length}.`,
      ['screens'],
    )
  // Screens beyond the limit are not checked.
  return given.slice(0, MAX_SCREENS + 1).flatMap((screen: unknown, at) => {
    if (isFields(screen)) return checkScreen(findings, screen, ['screens', at], version)
    findings.add(
      'INVALID_PROPERTY_TYPE',
      `Expected property '$root/screens/${at}' to be of type object, but found ${typeOf(screen)}.`,
      ['screens', at],
    )
    return []
  })
}

function checkIds(findings: Findings, screens: readonly Screen[]): void {
  const ids = new Set<string>()
  for (const { id, path } of screens) {
    if (id === null) continue
    if (ids.has(id)) findings.add('DUPLICATE_SCREEN_IDS', `Duplicate screen id found: ${id}.`, [...path, 'id'])
    ids.add(id)
  }
}

/** Checks a document, and answers the facts that the platform needs. */
export function checkDocument(
  findings: Findings,
  document: Fields,
): { readonly version: string | null; readonly hasEndpoint: boolean } {
  const version = versionOf(findings, document)
  const hasEndpoint = own(document, 'data_api_version') !== undefined
  if (version === null) return { version: null, hasEndpoint }
  checkKeys(
    findings,
    document,
    [],
    (key) => PROPERTIES.includes(key) || (key === 'data_channel_uri' && !isSince(version, '3.0')),
  )
  checkRequired(findings, document, [], hasEndpoint ? ['screens', 'routing_model'] : ['screens'])
  checkType(findings, document, [], 'routing_model', 'fields')
  for (const name of ['data_api_version', 'data_channel_uri']) checkType(findings, document, [], name, 'name')
  const screens = screensOf(findings, document, version)
  checkIds(findings, screens)
  if (screens.length > 0 && !screens.some(({ isTerminal }) => isTerminal))
    findings.add('MISSING_TERMINAL_SCREEN', 'Terminal screen is required but not provided.', ['screens'])
  const [exchange] = hasEndpoint ? [] : screens.flatMap(({ exchanges }) => exchanges)
  if (exchange)
    findings.add(
      'MISSING_REQUIRED_PROPERTY',
      "The property 'data_api_version' is required for data_exchange action.",
      exchange.path,
    )
  checkTargets(findings, screens)
  checkRoutes(findings, screens, own(document, 'routing_model'), hasEndpoint)
  return { version, hasEndpoint }
}
