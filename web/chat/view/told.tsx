import { useDrawn } from './context.ts'

/** Draws the note; it is in the page from the start, because screen readers ignore live regions that come later. */
export function Told() {
  const { notes } = useDrawn()
  const text = notes.text.value
  return (
    <p class={text === '' ? 'told none' : 'told'} role="status">
      {text}
    </p>
  )
}
