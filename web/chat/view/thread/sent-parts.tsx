import ExternalLink from 'lucide/dist/esm/icons/external-link.mjs'
import { Icon } from '../../../ui/icon.tsx'
import type { Message, SentButton, SentCard } from '../../model/message.ts'
import { useDrawn } from '../context.ts'
import { useMedia } from '../use-media.ts'

/** The cards of a sent carousel, side by side; they scroll by finger, wheel and keys. */
export function Cards({ message: { id, cards } }: { readonly message: Message }) {
  const { words } = useDrawn()
  if (!cards || cards.length === 0) return null
  // A scrollable area must be reachable by keyboard (WCAG 2.1.1).
  return (
    <ul class="deck" role="list" tabIndex={0} aria-label={words.types.carousel}>
      {cards.map((card, at) => (
        <li key={at} class="deck-card">
          <Card messageId={id} card={card} at={at} />
        </li>
      ))}
    </ul>
  )
}

function Card({
  messageId,
  card: { text, buttons },
  at,
}: {
  readonly messageId: string
  readonly card: SentCard
  readonly at: number
}) {
  const { words } = useDrawn()
  const picture = useMedia(messageId, true, at)
  return (
    <>
      {picture.at === 'shown' ? (
        <img class="deck-picture" src={picture.url} alt="" />
      ) : (
        <p class="deck-picture aside">{picture.at === 'failed' && words.message.mediaGone}</p>
      )}
      <p class="deck-text" dir="auto">
        {text}
      </p>
      <Buttons of={buttons} />
    </>
  )
}

/** Labels of the buttons below a sent message. They are the peer's to press; only an address can be followed here. */
export function Buttons({ of }: { readonly of: readonly SentButton[] | null | undefined }) {
  if (!of || of.length === 0) return null
  return (
    <ul class="sent-buttons" role="list">
      {of.map(({ text, url }, at) => (
        <li key={at} class="sent-button" dir="auto">
          {url !== null && /^https?:/i.test(url) ? (
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {text}
              <Icon of={ExternalLink} size={14} />
            </a>
          ) : (
            text
          )}
        </li>
      ))}
    </ul>
  )
}
