import { useMemo } from 'preact/hooks'
import { inLines, withUnseen } from './shown-text.ts'
import './text-box.css'

/** A text of somebody else, as text and nothing else: it scrolls in a box of its own, however long its words are. */
export function TextBox({ label, text }: { readonly label: string; readonly text: string }) {
  const shown = useMemo(() => withUnseen(inLines(text)), [text])
  return (
    <pre class="text-box" role="region" aria-label={label} dir="ltr" tabIndex={0}>
      {shown}
    </pre>
  )
}
