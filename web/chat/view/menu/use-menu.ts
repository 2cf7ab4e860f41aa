import { useEffect, useRef, useState } from 'preact/hooks'

/** Our choice, in ms: how long a finger rests on something until its menu opens. */
const HELD_MS = 500
/** Our choice, in CSS pixels: a finger that moves further scrolls and opens nothing. */
const STILL_PX = 10

/** Where a menu opens, in CSS pixels from the corner of the window. */
export interface MenuPlace {
  readonly x: number
  readonly y: number
}

export interface Menu {
  /** Null while the menu is closed. */
  readonly place: MenuPlace | null
  /** Opens the menu below an element. */
  openAt(element: Element): void
  close(): void
  /** What the element with the menu listens to: the context-menu key and a finger that rests on it. */
  readonly props: {
    onContextMenu(event: MouseEvent): void
    onKeyDown(event: KeyboardEvent): void
    onPointerDown(event: PointerEvent): void
    onPointerMove(event: PointerEvent): void
    onPointerUp(): void
    onPointerCancel(): void
  }
}

/**
 * The menu of an element. A right click keeps the menu of the browser, which copies and opens what is under the mouse.
 */
export function useMenu(): Menu {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const held = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly from: MenuPlace } | null>(null)
  const letGo = (): void => {
    if (held.current) clearTimeout(held.current.timer)
    held.current = null
  }
  useEffect(() => letGo, [])

  return {
    place,
    openAt: (element) => setPlace(belowOf(element)),
    close: () => setPlace(null),
    props: {
      onContextMenu(event) {
        if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return
        event.preventDefault()
        letGo()
        setPlace({ x: event.clientX, y: event.clientY })
      },
      onKeyDown(event) {
        if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
        event.preventDefault()
        setPlace(belowOf(event.currentTarget))
      },
      onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }) {
        letGo()
        if (pointerType !== 'touch' || !isPrimary) return
        held.current = { timer: setTimeout(() => setPlace({ x, y }), HELD_MS), from: { x, y } }
      },
      onPointerMove({ clientX, clientY }) {
        const from = held.current?.from
        if (from && Math.hypot(clientX - from.x, clientY - from.y) > STILL_PX) letGo()
      },
      onPointerUp: letGo,
      onPointerCancel: letGo,
    },
  }
}

/** Below an element, because a key has no place on the screen. */
function belowOf(target: EventTarget | null): MenuPlace {
  if (!(target instanceof Element)) return { x: 0, y: 0 }
  const { left, bottom } = (target.querySelector('.bubble') ?? target).getBoundingClientRect()
  return { x: left, y: bottom }
}
