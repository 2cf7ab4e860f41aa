import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import EmojiGrid from '../composer/emoji-grid.tsx'
import { useShown } from '../menu/menu-panel.tsx'
import type { MenuPlace } from '../menu/use-menu.ts'

export interface ReactionPickerProps {
  readonly place: MenuPlace
  readonly onPick: (emoji: string) => void
  readonly onClose: () => void
}

/** All emoji, in the place of the menu of a message. */
export default function ReactionPicker({ place, onPick, onClose }: ReactionPickerProps) {
  const panel = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useShown(panel, place)
  // What is in the panel takes the focus, which it cannot while the panel is not shown.
  useLayoutEffect(() => setShown(true), [])
  return (
    <div
      ref={panel}
      class="menu menu-emoji"
      popover="manual"
      data-reactions
      // The list of messages behind the panel moves by the same keys.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {isShown && (
        <EmojiGrid
          onPick={(emoji) => {
            onClose()
            onPick(emoji)
          }}
          onClose={onClose}
        />
      )}
    </div>
  )
}
