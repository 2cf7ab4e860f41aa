import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useDrawn } from '../context.ts'
import { findEmoji } from './emoji.ts'
import './emoji.css'

/** Columns of the grid; the style sheet draws the same number. */
const COLUMNS = 8
const MOVES: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }

interface EmojiGridProps {
  readonly onPick: (emoji: string) => void
  readonly onClose: () => void
}

/** A grid of emoji to search and choose from. It loads nothing over the network but this file. */
export default function EmojiGrid({ onPick, onClose }: EmojiGridProps) {
  const { words } = useDrawn()
  const [wanted, setWanted] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  useLeft(panel, onClose)

  function press(event: KeyboardEvent): void {
    const cells = [...(panel.current?.querySelectorAll<HTMLButtonElement>('.emoji-cell') ?? [])]
    const at = cells.findIndex((cell) => cell === document.activeElement)
    const move = MOVES[event.key]
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    } else if (move !== undefined && (at >= 0 || event.key === 'ArrowDown')) {
      event.preventDefault()
      cells[at < 0 ? 0 : Math.min(Math.max(at + move, 0), cells.length - 1)]?.focus()
    }
  }

  return (
    <div ref={panel} class="emoji-panel" role="dialog" aria-label={words.composer.emoji} onKeyDown={press}>
      <input
        ref={(input) => {
          if (wanted === '') input?.focus()
        }}
        type="text"
        aria-label={words.composer.emojiSearch}
        placeholder={words.composer.emojiSearch}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <Cells found={findEmoji(wanted)} onPick={onPick} />
    </div>
  )
}

interface CellsProps {
  readonly found: readonly string[]
  readonly onPick: (emoji: string) => void
}

function Cells({ found, onPick }: CellsProps) {
  return (
    <div class="emoji-grid">
      {found.map((emoji, at) => (
        <button key={emoji} type="button" class="emoji-cell" tabIndex={at === 0 ? 0 : -1} onClick={() => onPick(emoji)}>
          {emoji}
        </button>
      ))}
    </div>
  )
}

/** Closes the panel when something other than the panel and its button is pressed. */
function useLeft(panel: RefObject<HTMLElement | null>, onClose: () => void): void {
  useEffect(() => {
    const leave = (event: PointerEvent): void => {
      if (event.target instanceof Node && !panel.current?.parentElement?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [onClose])
}
