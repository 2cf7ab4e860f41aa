import type { FrameHost } from './host.ts'

/**
 * Tells the host how high an element is, whenever that changes, so that an inline frame shows all of it. Call what it
 * gives to end this.
 */
export function followHeight(host: FrameHost, element: Element): () => void {
  const observer = new ResizeObserver(() =>
    host.tell('resize', { height: Math.ceil(element.getBoundingClientRect().height) }),
  )
  observer.observe(element)
  return () => observer.disconnect()
}

/**
 * Tells the host of Esc that nothing in this page took, while it stands in the host's dialog: the dialog never sees
 * keys pressed in here. Told when the key is let go, because the host takes this page away then, and a key that is held
 * in a page that is gone has upset browsers (measured).
 */
export function followEscape(host: FrameHost): () => void {
  let isPressed = false

  function press(event: KeyboardEvent): void {
    isPressed = event.key === 'Escape' && !event.defaultPrevented && !event.isComposing && host.init.options.isModal
  }

  function release(event: KeyboardEvent): void {
    if (event.key === 'Escape' && isPressed) host.tell('connect:close', {})
    isPressed = false
  }

  window.addEventListener('keydown', press)
  window.addEventListener('keyup', release)
  return () => {
    window.removeEventListener('keydown', press)
    window.removeEventListener('keyup', release)
  }
}
