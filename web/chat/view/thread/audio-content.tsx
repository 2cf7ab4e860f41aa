import { useState } from 'preact/hooks'
import type { Message } from '../../model/message.ts'
import { Player } from '../player/player.tsx'
import { useMedia } from '../use-media.ts'
import { Missing } from './media-contents.tsx'

/**
 * A voice note or other audio. The file is read when it is first played; the service learns the length of a sent note a
 * moment after the send.
 */
export function AudioContent({ message: { id, media } }: { readonly message: Message }) {
  const [isWanted, setWanted] = useState(false)
  const shown = useMedia(id, isWanted)
  if (shown.at === 'failed') return <Missing isGone={shown.isGone} />
  return (
    <Player
      src={shown.at === 'shown' ? shown.url : null}
      lengthMs={media?.durationMs ?? 0}
      peaks={media?.waveform ?? null}
      onWanted={() => setWanted(true)}
    />
  )
}
