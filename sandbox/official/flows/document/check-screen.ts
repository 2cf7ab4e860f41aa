import { isFields, own, type Fields } from '../../../../src/domain/json-fields.ts'
import { actionsOf, targetOf, type Action } from './actions.ts'
import { checkComponent, checkNoComponent } from './check-component.ts'
import { checkKeys, checkRequired, checkType } from './checks.ts'
import { COMPONENTS, isSince } from './components.ts'
import type { Findings } from './findings.ts'
import type { Path } from './place.ts'
import { areApart, walk, type Placed, type Version } from './walk.ts'

const PROPERTIES = ['id', 'layout', 'title', 'terminal', 'success', 'data', 'refresh_on_back']
/** Name by which upstream answers the end of a Flow. */
const RESERVED = 'SUCCESS'
/** our choice: most buttons of a screen that are compared with each other. */
const MAX_FOOTERS = 50

/** The facts of a screen that checks of other screens need. */
export interface Screen {
  readonly path: Path
  /** Null when the screen has no text as id. */
  readonly id: string | null
  readonly isTerminal: boolean
  readonly targets: readonly { readonly screen: string; readonly path: Path }[]
  readonly exchanges: readonly Action[]
}

function checkId(findings: Findings, id: string, path: Path): void {
  const at = [...path, 'id']
  if (!/^[A-Za-z_]+$/.test(id))
    findings.add('PATTERN_MISMATCH', "Property 'id' should only consist of alphabets and underscores.", at)
  else if (id.toUpperCase() === RESERVED)
    findings.add('SCREEN_ID_IS_RESERVED_KEYWORD', `Screen id cannot be '${id}' since it is a reserved keyword.`, at)
}

/** Checks that a screen shows at most one button at a time, and exactly one where the Flow ends. */
function checkFooters(
  findings: Findings,
  placed: readonly Placed[],
  { path, isTerminal }: Pick<Screen, 'path' | 'isTerminal'>,
): void {
  const footers = placed.filter(({ component }) => own(component, 'type') === 'Footer').slice(0, MAX_FOOTERS)
  if (isTerminal && footers.length === 0)
    findings.add('MISSING_FOOTER_ON_TERMINAL_SCREEN', 'Footer component is missing on a terminal screen.', path)
  const second = footers.find((footer, at) => footers.slice(0, at).some((before) => !areApart(before, footer)))
  if (second)
    findings.add('MORE_THAN_ONE_FOOTER', 'Maximum number of Footer component allowed per screen is 1.', second.path)
}

function checkNames(findings: Findings, placed: readonly Placed[]): void {
  const names = new Set<string>()
  for (const { component, path } of placed) {
    const name = own(component, 'name')
    if (typeof name !== 'string' || !COMPONENTS.get(String(own(component, 'type')))?.isInput) continue
    if (names.has(name))
      findings.add('DUPLICATE_FORM_COMPONENT_NAMES', `Duplicate name found for Form components: ${name}.`, [
        ...path,
        'name',
      ])
    names.add(name)
  }
}

/** The components of a screen, each checked by itself. */
function placedIn(findings: Findings, screen: Fields, path: Path, version: Version): Placed[] {
  const layout = own(screen, 'layout')
  if (!isFields(layout)) return []
  const at = [...path, 'layout']
  checkRequired(findings, layout, at, ['type', 'children'])
  checkKeys(findings, layout, at, (key) => key === 'type' || key === 'children')
  if (
    checkType(findings, layout, at, 'type', 'name')
    && ![undefined, 'SingleColumnLayout'].includes(own(layout, 'type') as string)
  ) {
    findings.add(
      'INVALID_PROPERTY_VALUE',
      "Invalid value found for property 'type': the layout is SingleColumnLayout.",
      [...at, 'type'],
    )
  }
  checkType(findings, layout, at, 'children', 'components')
  const placed: Placed[] = []
  for (const one of walk(own(layout, 'children'), [...at, 'children'], version)) {
    if ('value' in one) {
      checkNoComponent(findings, one.value, one.path)
    } else {
      checkComponent(findings, one, version)
      placed.push(one)
    }
  }
  return placed
}

/** Checks a screen by itself. */
export function checkScreen(findings: Findings, screen: Fields, path: Path, version: Version): Screen {
  checkKeys(
    findings,
    screen,
    path,
    (key) => PROPERTIES.includes(key) || (key === 'sensitive' && isSince(version, '5.1')),
  )
  checkRequired(findings, screen, path, ['id', 'layout'])
  for (const name of ['terminal', 'success', 'refresh_on_back']) checkType(findings, screen, path, name, 'flag')
  for (const name of ['data', 'layout']) checkType(findings, screen, path, name, 'fields')
  checkType(findings, screen, path, 'title', 'text')
  checkType(findings, screen, path, 'sensitive', 'list')
  const given = own(screen, 'id')
  const id = checkType(findings, screen, path, 'id', 'name') && typeof given === 'string' ? given : null
  if (id !== null) checkId(findings, id, path)
  const isTerminal = own(screen, 'terminal') === true
  const placed = placedIn(findings, screen, path, version)
  checkFooters(findings, placed, { path, isTerminal })
  checkNames(findings, placed)
  const actions = placed.flatMap(actionsOf)
  return {
    path,
    id,
    isTerminal,
    targets: actions.flatMap((action) => targetOf(action) ?? []),
    exchanges: actions.filter(({ action }) => own(action, 'name') === 'data_exchange'),
  }
}
