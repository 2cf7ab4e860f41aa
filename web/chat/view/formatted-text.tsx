import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { piecesOf } from '../model/formatted-text.ts'
import type { Piece } from '../model/formatted-text.ts'
import { beginningOf, isLarge } from '../model/shown-text.ts'
import { useDrawn } from './context.ts'

/** Text drawn as a phone draws it, with links that can be followed. */
export function FormattedText({ text }: { readonly text: string }) {
  return (
    <span class={isLarge(text) ? 'text large' : 'text'} dir="auto">
      {piecesOf(text).map(drawn)}
    </span>
  )
}

/** Formatted text that is cut at first when it is long, with a button that shows the rest. */
export function MessageText({ text }: { readonly text: string }) {
  const { words } = useDrawn()
  const [isWhole, setWhole] = useState(false)
  const beginning = isWhole ? null : beginningOf(text)
  if (beginning === null) return <FormattedText text={text} />
  const open = ({ currentTarget }: MouseEvent): void => {
    // The button disappears, so the message that it belongs to takes the focus.
    if (currentTarget instanceof Element)
      currentTarget.closest<HTMLElement>('[data-message]')?.focus({ preventScroll: true })
    setWhole(true)
  }
  return (
    <>
      <FormattedText text={`${beginning}…`} />{' '}
      <button type="button" class="link" data-action="read-more" onClick={open}>
        {words.message.readMore}
      </button>
    </>
  )
}

function drawn(piece: Piece): ComponentChildren {
  if (typeof piece === 'string') return piece
  switch (piece.kind) {
    // An e-mail or telephone link opens another program, so it needs no new window.
    case 'link':
      return (
        <a
          href={piece.href}
          rel="noopener noreferrer nofollow"
          {...(piece.href.startsWith('http') ? { target: '_blank' } : {})}
        >
          {piece.text}
        </a>
      )
    case 'code':
      return <code>{piece.text}</code>
    case 'block':
      return <code class="block">{piece.text}</code>
    case 'bold':
      return <b>{piece.of.map(drawn)}</b>
    case 'italic':
      return <i>{piece.of.map(drawn)}</i>
    case 'struck':
      return <s>{piece.of.map(drawn)}</s>
  }
}
