import { isFields, own, type Fields } from '../../../../src/domain/json-fields.ts'
import type { Path } from './place.ts'
import type { Placed } from './walk.ts'

const ACTIONS = ['on-click-action', 'on-select-action', 'on-unselect-action']
/** Lists whose items have actions of their own. */
const LISTS = ['data-source', 'list-items']

export interface Action {
  readonly action: Fields
  readonly path: Path
}

function ownActions(fields: Fields, path: Path): Action[] {
  return ACTIONS.flatMap((name) => {
    const action = own(fields, name)
    return isFields(action) ? [{ action, path: [...path, name] }] : []
  })
}

/** Actions of a component and of its items. */
export function actionsOf({ component, path }: Placed): Action[] {
  const ofItems = LISTS.flatMap((name) => {
    const items = own(component, name)
    return Array.isArray(items)
      ? items.flatMap((item: unknown, at) => (isFields(item) ? ownActions(item, [...path, name, at]) : []))
      : []
  })
  return [...ownActions(component, path), ...ofItems]
}

/**
 * The screen that an action leads to, and the path of its name; null when it leads to none, or to one that only the
 * phone knows.
 */
export function targetOf({ action, path }: Action): { readonly screen: string; readonly path: Path } | null {
  const next = own(action, 'next')
  if (own(action, 'name') !== 'navigate' || !isFields(next)) return null
  const [type, screen] = [own(next, 'type'), own(next, 'name')]
  if ((type !== undefined && type !== 'screen') || typeof screen !== 'string' || screen.includes('${')) return null
  return { screen, path: [...path, 'next', 'name'] }
}
