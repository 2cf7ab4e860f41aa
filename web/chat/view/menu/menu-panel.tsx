import type { IconNode } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { MOVES, roam } from '../roving.ts'
import type { MenuPlace } from './use-menu.ts'
import './menu.css'

/** Our choice, in CSS pixels: the least space between a menu and the edge of the window. */
const EDGE_PX = 8

export interface MenuItem {
  /** The value of `data-action`. */
  readonly action: string
  readonly label: string
  readonly icon: IconNode
  readonly act: () => void
  /** The menu stays open: what is chosen takes its place. */
  readonly isKept?: boolean
}

/** Signs to choose one of, in a row above the items. */
export interface MenuPicks {
  readonly label: string
  readonly signs: readonly string[]
  readonly chosen: string | null
  readonly onPick: (sign: string) => void
}

interface MenuPanelProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly picks?: MenuPicks | null
  readonly place: MenuPlace
  readonly onClose: () => void
}

/**
 * A menu over everything else, near its place and inside the window. Esc, Tab, a press beside it and the wheel close
 * it; the focus then returns to where it was. Messages that arrive move what is below it, and leave it open.
 */
export default function MenuPanel({ label, items, picks, place, onClose }: MenuPanelProps) {
  const menu = useRef<HTMLDivElement>(null)
  useShown(menu, place)
  useClosing(menu, onClose)

  function press(event: KeyboardEvent): void {
    // The list of messages behind the menu moves by the same keys.
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      onClose()
    } else if (menu.current) roam(event, menu.current, '[role^=menuitem]', SIDEWAYS)
  }

  return (
    <div ref={menu} class="menu" role="menu" popover="manual" aria-label={label} onKeyDown={press}>
      {picks && <Picks {...picks} onClose={onClose} />}
      {items.map(({ action, label: said, icon, act, isKept }) => (
        <button
          key={action}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-action={action}
          onClick={() => {
            if (!isKept) onClose()
            act()
          }}
        >
          <Icon of={icon} size={18} />
          {said}
        </button>
      ))}
    </div>
  )
}

/** Keys of the row of signs; in a menu without one they do as those up and down. */
const SIDEWAYS = { ...MOVES, ArrowRight: 1, ArrowLeft: -1 }

function Picks({ label, signs, chosen, onPick, onClose }: MenuPicks & Pick<MenuPanelProps, 'onClose'>) {
  return (
    <div class="menu-picks" role="group" aria-label={label}>
      {signs.map((sign) => (
        <button
          key={sign}
          type="button"
          role="menuitemradio"
          aria-checked={sign === chosen}
          tabIndex={-1}
          data-react={sign}
          onClick={() => {
            onClose()
            onPick(sign)
          }}
        >
          {sign}
        </button>
      ))}
    </div>
  )
}

/** Shows the menu, with the focus on its first item; afterwards the focus returns. It is as wide as its words. */
export function useShown(menu: { readonly current: HTMLDivElement | null }, { x, y }: MenuPlace): void {
  useLayoutEffect(() => {
    const { current } = menu
    if (!current) return
    const before = document.activeElement
    current.showPopover()
    current.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && current.contains(document.activeElement))
        before.focus({ preventScroll: true })
    }
  }, [])
  useLayoutEffect(() => {
    const { current } = menu
    if (!current) return
    const { width, height } = current.getBoundingClientRect()
    const [right, bottom] = [innerWidth - width - EDGE_PX, innerHeight - height - EDGE_PX]
    current.style.setProperty('left', `${Math.max(EDGE_PX, Math.min(x, right))}px`)
    current.style.setProperty('top', `${Math.max(EDGE_PX, Math.min(y, bottom))}px`)
  })
}

function useClosing(menu: { readonly current: HTMLDivElement | null }, onClose: () => void): void {
  useEffect(() => {
    const pressed = ({ target }: Event): void => {
      if (!(target instanceof Node && menu.current?.contains(target))) onClose()
    }
    document.addEventListener('pointerdown', pressed, true)
    document.addEventListener('wheel', onClose, true)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', pressed, true)
      document.removeEventListener('wheel', onClose, true)
      window.removeEventListener('resize', onClose)
    }
  }, [])
}
