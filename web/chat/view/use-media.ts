import { useEffect, useState } from 'preact/hooks'
import { RequestFailure } from '../api/failure.ts'
import { useDrawn } from './context.ts'

export type ShownMedia =
  | { readonly at: 'waiting' }
  | { readonly at: 'shown'; readonly url: string }
  | { readonly at: 'failed'; readonly isGone: boolean }

/** The media of a message, or the picture of one of its cards, while it is drawn. Nothing is read before `isWanted`. */
export function useMedia(messageId: string, isWanted: boolean, card: number | null = null): ShownMedia {
  const { media } = useDrawn()
  const [shown, setShown] = useState<ShownMedia>({ at: 'waiting' })
  useEffect(() => {
    if (!isWanted) return
    let isDrawn = true
    media.take(messageId, card).then(
      (url) => {
        if (isDrawn) setShown({ at: 'shown', url })
      },
      (error: unknown) => {
        if (isDrawn) setShown({ at: 'failed', isGone: error instanceof RequestFailure && error.code === 'MEDIA_GONE' })
      },
    )
    return () => {
      isDrawn = false
      media.release(messageId, card)
    }
  }, [messageId, isWanted, card, media])
  return shown
}
