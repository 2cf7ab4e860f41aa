import type { IconNode } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { roam } from '../roving.ts'
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
}

interface MenuPanelProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly place: MenuPlace
  readonly onClose: () => void
}

/**
 * A menu over everything else, near its place and inside the window. Esc, Tab, a press beside it and the wheel close
 * it; the focus then returns to where it was. Messages that arrive move what is below it, and leave it open.
 */
export default function MenuPanel({ label, items, place, onClose }: MenuPanelProps) {
  const menu = useRef<HTMLDivElement>(null)
  useShown(menu, place)
  useClosing(menu, onClose)

  function press(event: KeyboardEvent): void {
    // The list of messages behind the menu moves by the same keys.
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      onClose()
    } else if (menu.current) roam(event, menu.current, '[role=menuitem]')
  }

  return (
    <div ref={menu} class="menu" role="menu" popover="manual" aria-label={label} onKeyDown={press}>
      {items.map(({ action, label: said, icon, act }) => (
        <button
          key={action}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-action={action}
          onClick={() => {
            onClose()
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

/** Shows the menu, with the focus on its first item; afterwards the focus returns. It is as wide as its words. */
function useShown(menu: { readonly current: HTMLDivElement | null }, { x, y }: MenuPlace): void {
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
