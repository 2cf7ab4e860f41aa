import Download from 'lucide/dist/esm/icons/download.mjs'
import FileText from 'lucide/dist/esm/icons/file-text.mjs'
import Play from 'lucide/dist/esm/icons/play.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { Message } from '../../model/message.ts'
import { useDrawn } from '../context.ts'
import { useMedia } from '../use-media.ts'
import { Lightbox } from './lightbox.tsx'

/** A picture; a press enlarges it. */
export function ImageContent({
  message,
  isSticker = false,
}: {
  readonly message: Message
  readonly isSticker?: boolean
}) {
  const { words } = useDrawn()
  const media = useMedia(message.id, true)
  const [isLarge, setLarge] = useState(false)
  if (media.at === 'failed') return <Missing isGone={media.isGone} />
  if (media.at === 'waiting') return <div class={isSticker ? 'media sticker' : 'media'} />
  const name = message.content ?? (isSticker ? words.types.sticker : words.types.image)
  return (
    <>
      <button
        type="button"
        class="media-button"
        aria-label={`${words.message.open}: ${name}`}
        onClick={() => setLarge(true)}
      >
        <img class={isSticker ? 'media sticker' : 'media'} src={media.url} alt="" />
      </button>
      {isLarge && (
        <Lightbox
          name={name}
          url={media.url}
          fileName={message.media?.fileName ?? 'image'}
          onClose={() => setLarge(false)}
        >
          <img src={media.url} alt={name} />
        </Lightbox>
      )}
    </>
  )
}

/** A video; the file is read when it is opened. */
export function VideoContent({ message }: { readonly message: Message }) {
  const { words } = useDrawn()
  const [isWanted, setWanted] = useState(false)
  const media = useMedia(message.id, isWanted)
  if (media.at === 'failed') return <Missing isGone={media.isGone} />
  return (
    <>
      <button
        type="button"
        class="media-button media film"
        aria-busy={isWanted && media.at === 'waiting'}
        aria-label={`${words.message.open}: ${words.types.video}`}
        onClick={() => setWanted(true)}
      >
        <Icon of={Play} size={40} />
      </button>
      {isWanted && media.at === 'shown' && (
        <Lightbox
          name={words.types.video}
          url={media.url}
          fileName={message.media?.fileName ?? 'video.mp4'}
          onClose={() => setWanted(false)}
        >
          {/* Videos that people send each other have no captions. */}
          <video src={media.url} controls autoplay aria-label={words.types.video} />
        </Lightbox>
      )}
    </>
  )
}

/** A file; a press saves it. */
export function DocumentContent({ message: { id, media } }: { readonly message: Message }) {
  const { words, formats } = useDrawn()
  const [isWanted, setWanted] = useState(false)
  const shown = useMedia(id, isWanted)
  const link = useRef<HTMLAnchorElement>(null)
  // The person pressed to save the file; it had to be read first, and is saved now that it is there.
  useEffect(() => link.current?.click(), [shown.at])
  const name = media?.fileName ?? words.types.document
  if (shown.at === 'failed') return <Missing isGone={shown.isGone} />
  const size = media?.sizeBytes ? formats.size(media.sizeBytes) : null
  if (shown.at === 'shown') {
    return (
      <a ref={link} class="card" href={shown.url} download={name}>
        <Icon of={Download} />
        <span dir="auto">{name}</span>
        {size !== null && <span class="card-number">{size}</span>}
      </a>
    )
  }
  return (
    <button type="button" class="card" aria-busy={isWanted} onClick={() => setWanted(true)}>
      <Icon of={FileText} />
      <span class="unseen">{words.message.download}: </span>
      <span dir="auto">{name}</span>
      {size !== null && <span class="card-number">{size}</span>}
    </button>
  )
}

/** Stands in place of a file that could not be read. */
export function Missing({ isGone }: { readonly isGone: boolean }) {
  const { words } = useDrawn()
  return <p class="aside">{isGone ? words.message.mediaGone : words.message.mediaFailed}</p>
}
