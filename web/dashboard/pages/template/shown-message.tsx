import type { TemplateBody, TemplateButton, TemplateCard } from '../../../../src/domain/template.ts'
import type { TemplateWords } from './props.ts'

type PreviewWords = TemplateWords['preview']

/** A filled template as a phone shows it. Its media are named, not loaded: they are files of somebody else. */
export function ShownMessage({ words, body }: { readonly words: PreviewWords; readonly body: TemplateBody }) {
  const cards = body.carousel?.cards ?? []
  return (
    <div class="shown-message" role="group" aria-label={words.label} data-preview>
      <Header words={words} header={body.header} />
      <p class="shown-text" dir="auto">
        {body.body?.text ?? words.noText}
      </p>
      {body.footer?.text !== undefined && (
        <p class="muted" dir="auto">
          {body.footer.text}
        </p>
      )}
      <Buttons words={words} buttons={body.buttons} />
      {cards.length > 0 && (
        <ol class="shown-cards">
          {cards.map((card, at) => (
            <Card key={at} words={words} card={card} label={words.card(at + 1, cards.length)} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Header({ words, header }: { readonly words: PreviewWords; readonly header: TemplateBody['header'] }) {
  if (header.type === 'NONE') return null
  if (header.type === 'TEXT')
    return (
      <p class="shown-header" dir="auto">
        {header.text}
      </p>
    )
  return <p class="shown-media">{words.header[header.type as keyof PreviewWords['header']] ?? header.type}</p>
}

function Buttons({ words, buttons }: { readonly words: PreviewWords; readonly buttons: readonly TemplateButton[] }) {
  if (buttons.length === 0) return null
  return (
    <ul class="shown-buttons">
      {buttons.map(({ text, type, url, phone_number: phone }, at) => (
        <li key={at} data-button={type}>
          <bdi>{text ?? words.button}</bdi>
          {(url ?? phone) !== undefined && (
            <span class="muted" dir="ltr">
              {url ?? phone}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  readonly words: PreviewWords
  readonly card: TemplateCard
  readonly label: string
}

function Card({ words, card, label }: CardProps) {
  return (
    <li aria-label={label}>
      <p class="shown-media">{label}</p>
      {card.body !== null && (
        <p class="shown-text" dir="auto">
          {card.body.text}
        </p>
      )}
      <Buttons words={words} buttons={card.buttons} />
    </li>
  )
}
