type Moves = Readonly<Record<string, number | 'first' | 'last'>>

/** Keys that move the focus within a list, and by how many items. */
export const MOVES: Moves = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: 'first',
  End: 'last',
}

/** Moves the focus among the items of a list (`selector`) by the arrow keys; true when the key moved it. */
export function roam(event: KeyboardEvent, list: HTMLElement, selector: string, moves: Moves = MOVES): boolean {
  const move = moves[event.key]
  if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
  const items = [...list.querySelectorAll<HTMLElement>(selector)]
  const at = items.findIndex((item) => item.contains(document.activeElement))
  const to =
    move === 'first' ? 0 : move === 'last' ? items.length - 1 : Math.min(Math.max(at + move, 0), items.length - 1)
  const item = items[to]
  if (!item || to === at) return false
  event.preventDefault()
  item.focus()
  item.scrollIntoView({ block: 'nearest' })
  return true
}

/** The arrow-down key in a field moves the focus to the first item of a list (`selector`), if there is one. */
export function enterList(event: KeyboardEvent, selector: string): void {
  const first = document.querySelector<HTMLElement>(selector)
  if (event.key !== 'ArrowDown' || !first) return
  event.preventDefault()
  first.focus()
}
