import { useDrawn } from './context.ts'

/** Draws the note; it is in the page from the start, because screen readers ignore live regions that come later. */
export function Told() {
  const { notes } = useDrawn()
  const [text, offer] = [notes.text.value, notes.offer.value]
  return (
    <div class={text === '' ? 'told none' : 'told'}>
      <span role="status">{text}</span>
      {offer && (
        <button type="button" class="link" data-action="undo" onClick={offer.act}>
          {offer.label}
        </button>
      )}
    </div>
  )
}
