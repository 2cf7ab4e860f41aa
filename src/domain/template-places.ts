import type { TemplateBody, TemplateButton, TemplateCard } from './template.ts'

/** A text of a template in which a variable could be written. */
export interface TextPlace {
  /** BODY with a card is the text of that card. CODE and PAYMENT are examples of buttons. */
  readonly kind: 'HEADER' | 'BODY' | 'FOOTER' | 'LABEL' | 'URL' | 'CODE' | 'PAYMENT'
  /** The card, from 1; null outside of cards. */
  readonly card: number | null
  /** The button, from 1, every button of its list counted; null outside of buttons. */
  readonly button: number | null
  /** A dotted path from the body of the template. */
  readonly field: string
  /** Empty when a code button has no code. */
  readonly text: string
}

type Rewrite = (place: TextPlace) => string

const EXAMPLE_KINDS: ReadonlyMap<string, TextPlace['kind']> = new Map([
  ['COPY_CODE', 'CODE'],
  ['PAYMENT_REQUEST', 'PAYMENT'],
])

function rewriteButton(
  button: TemplateButton,
  at: { readonly card: number | null; readonly button: number; readonly path: string },
  rewrite: Rewrite,
): TemplateButton {
  const place = { card: at.card, button: at.button }
  const kind = EXAMPLE_KINDS.get(button.type)
  const [code = '', ...others] = button.example ?? []
  const example = kind === undefined ? '' : rewrite({ ...place, kind, field: `${at.path}.example`, text: code })
  return {
    ...button,
    ...(button.text === undefined
      ? {}
      : { text: rewrite({ ...place, kind: 'LABEL', field: `${at.path}.text`, text: button.text }) }),
    ...(button.url === undefined
      ? {}
      : { url: rewrite({ ...place, kind: 'URL', field: `${at.path}.url`, text: button.url }) }),
    ...(kind === undefined || example === '' ? {} : { example: [example, ...others] }),
  }
}

function rewriteCard(card: TemplateCard, index: number, rewrite: Rewrite): TemplateCard {
  const [number, path] = [index + 1, `carousel.cards.${index}`]
  return {
    ...card,
    body: card.body && {
      text: rewrite({ kind: 'BODY', card: number, button: null, field: `${path}.body.text`, text: card.body.text }),
    },
    buttons: card.buttons.map((button, at) =>
      rewriteButton(button, { card: number, button: at + 1, path: `${path}.buttons.${at}` }, rewrite),
    ),
  }
}

/** Replaces each text of a template, in the order header, body, footer, buttons, cards. */
export function rewriteTexts(body: TemplateBody, rewrite: Rewrite): TemplateBody {
  const outside = { card: null, button: null }
  const { header, body: main, footer } = body
  return {
    header:
      header.text === undefined
        ? header
        : { ...header, text: rewrite({ ...outside, kind: 'HEADER', field: 'header.text', text: header.text }) },
    body: main && { ...main, text: rewrite({ ...outside, kind: 'BODY', field: 'body.text', text: main.text }) },
    footer:
      footer?.text === undefined
        ? footer
        : { ...footer, text: rewrite({ ...outside, kind: 'FOOTER', field: 'footer.text', text: footer.text }) },
    buttons: body.buttons.map((button, at) =>
      rewriteButton(button, { card: null, button: at + 1, path: `buttons.${at}` }, rewrite),
    ),
    carousel: body.carousel && { cards: body.carousel.cards.map((card, index) => rewriteCard(card, index, rewrite)) },
  }
}

/** Lists every text of a template, in the order header, body, footer, buttons, cards. */
export function textPlacesOf(body: TemplateBody): TextPlace[] {
  const places: TextPlace[] = []
  rewriteTexts(body, (place) => {
    places.push(place)
    return place.text
  })
  return places
}

/** A button with its place. */
export interface ButtonPlace {
  readonly button: TemplateButton
  /** The place in its list, from 1. */
  readonly number: number
  readonly card: number | null
  readonly field: string
}

/** Lists every button of a template, those of cards last. */
export function buttonPlacesOf({ buttons, carousel }: TemplateBody): ButtonPlace[] {
  return [
    ...buttons.map((button, at) => ({ button, number: at + 1, card: null, field: `buttons.${at}` })),
    ...(carousel?.cards ?? []).flatMap((card, index) =>
      card.buttons.map((button, at) => ({
        button,
        number: at + 1,
        card: index + 1,
        field: `carousel.cards.${index}.buttons.${at}`,
      })),
    ),
  ]
}
