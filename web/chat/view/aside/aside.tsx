import X from 'lucide/dist/esm/icons/x.mjs'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { useDrawn } from '../context.ts'
import './aside.css'

interface AsideProps {
  /** The value of `data-aside`. */
  readonly name: string
  readonly heading: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A pane beside the thread; where the window is narrow it covers the thread. Esc closes it, the thread stays open. */
export function Aside({ name, heading, onClose, children }: AsideProps) {
  const { words } = useDrawn()
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = pane
    const before = document.activeElement
    const first = current?.querySelector<HTMLElement>('input') ?? current?.querySelector<HTMLElement>('h2')
    first?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside
      ref={pane}
      class="beside"
      data-aside={name}
      aria-label={heading}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header class="beside-head">
        <h2 tabIndex={-1}>{heading}</h2>
        <button type="button" class="plain" data-action="close-aside" aria-label={words.close} onClick={onClose}>
          <Icon of={X} />
        </button>
      </header>
      <div class="beside-body">{children}</div>
    </aside>
  )
}
