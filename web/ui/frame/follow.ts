import type { FrameHost } from './host.ts'

/**
 * Tells the host the height of an element whenever it changes, so that an inline frame shows all of it. Returns the
 * function that stops this.
 */
export function followHeight(host: FrameHost, element: Element): () => void {
  const observer = new ResizeObserver(() =>
    host.tell('resize', { height: Math.ceil(element.getBoundingClientRect().height) }),
  )
  observer.observe(element)
  return () => observer.disconnect()
}

/**
 * Tells the host of an Esc key that nothing in this page used, while the frame is in the host's dialog: the dialog does
 * not see keys pressed in a frame. It waits for the release of the key, because the host then removes this page, and
 * browsers misbehave when a key is held in a removed page (measured).
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
