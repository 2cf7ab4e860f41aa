import type { TemplateCard } from '../../../../src/domain/template.ts'
import { TextField } from '../../ground/form.tsx'
import { Buttons } from './buttons.tsx'
import type { TemplateFormWords } from './form-words.ts'

interface CardsProps {
  readonly words: TemplateFormWords
  readonly cards: readonly TemplateCard[]
  /** The id of the number that the template is of. */
  readonly number: string
  change(cards: readonly TemplateCard[]): void
  reshape(cards: readonly TemplateCard[]): void
}

/** The cards of a carousel. */
export function Cards({ words, cards, number, change, reshape }: CardsProps) {
  const put = (at: number, part: Partial<TemplateCard>): readonly TemplateCard[] =>
    cards.map((one, index) => (index === at ? { ...one, ...part } : one))
  return (
    <fieldset>
      <legend>{words.carousel}</legend>
      {cards.map((card, at) => (
        <Card
          key={at}
          words={words}
          card={card}
          number={number}
          at={at}
          change={(part) => change(put(at, part))}
          reshape={(part) => reshape(put(at, part))}
          remove={() => reshape(cards.filter((_, index) => index !== at))}
        />
      ))}
      <button
        type="button"
        class="button quiet small"
        data-action="add-card"
        onClick={() => reshape([...cards, { media: { url: '' }, body: null, buttons: [{ type: 'QUICK_REPLY' }] }])}
      >
        {words.addCard}
      </button>
    </fieldset>
  )
}

interface CardProps {
  readonly words: TemplateFormWords
  readonly card: TemplateCard
  readonly number: string
  /** The place of the card, from 0. */
  readonly at: number
  change(part: Partial<TemplateCard>): void
  reshape(part: Partial<TemplateCard>): void
  remove(): void
}

function Card({ words, card, number, at, change, reshape, remove }: CardProps) {
  const path = `body.carousel.cards.${at}`
  return (
    <fieldset>
      <legend>{words.card(at + 1)}</legend>
      <TextField
        label={words.cardUrl}
        name={`${path}.media.url`}
        type="url"
        value={card.media.url}
        change={(url) => change({ media: { url } })}
      />
      <TextField
        label={words.cardText}
        name={`${path}.body.text`}
        rows={2}
        value={card.body?.text ?? ''}
        change={(text) => change({ body: text === '' ? null : { text } })}
      />
      <Buttons
        words={words}
        buttons={card.buttons}
        path={`${path}.buttons`}
        number={number}
        change={(buttons) => change({ buttons })}
        reshape={(buttons) => reshape({ buttons })}
      />
      <button type="button" class="button quiet small" data-action="remove-card" onClick={remove}>
        {words.removeCard(at + 1)}
      </button>
    </fieldset>
  )
}
