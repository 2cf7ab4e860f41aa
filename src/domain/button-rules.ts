import { codePointsOf } from './characters.ts'
import type { Fault } from './fault.ts'
import { isMediaSource, isWebUrl } from './media-text.ts'
import type { MessageButton } from './message.ts'
import type { ProviderKind } from './number.ts'
import { phoneDigits } from './phone-reading.ts'
import { hasCredentials, NO_CREDENTIALS } from './web-address.ts'
import { OFFICIAL_LABEL_LENGTH } from './send-order.ts'
import type { ButtonOrder, CarouselOrder } from './send-order.ts'

function codeOf({ code, example }: ButtonOrder): string | null {
  return code ?? (Array.isArray(example) ? example[0] : example) ?? null
}

function numberOf(button: ButtonOrder): string | null {
  const given = button.phoneNumber ?? button.phone_number
  return given ? phoneDigits(given) : null
}

/** What is wrong with one button by itself. */
function partFaults(button: ButtonOrder, path: string, provider: ProviderKind): Fault[] {
  const faults: Fault[] = []
  if (provider === 'OFFICIAL' && codePointsOf(button.text) > OFFICIAL_LABEL_LENGTH) {
    faults.push({
      path: `${path}.text`,
      message: `must be 1 to ${OFFICIAL_LABEL_LENGTH} characters on an OFFICIAL number`,
    })
  }
  if (button.type === 'URL' && !isWebUrl(button.url ?? ''))
    faults.push({ path: `${path}.url`, message: 'must be an http(s) URL' })
  else if (button.type === 'URL' && hasCredentials(button.url ?? ''))
    faults.push({ path: `${path}.url`, message: NO_CREDENTIALS })
  if (button.type === 'PHONE_NUMBER' && numberOf(button) === null)
    faults.push({ path: `${path}.phoneNumber`, message: 'must be a phone number with its country code' })
  if (button.type === 'COPY_CODE' && codeOf(button) === null)
    faults.push({ path: `${path}.code`, message: 'is needed with COPY_CODE' })
  return faults
}

/** Upstream refuses two buttons of one label, and nobody can tell them apart. */
function repeatedLabels(buttons: readonly ButtonOrder[], path: string): Fault[] {
  const labels = buttons.map(({ text }) => text.trim())
  return labels.flatMap((label, index) =>
    labels.indexOf(label) < index
      ? [{ path: `${path}.${index}.text`, message: 'must differ from the texts of the other buttons' }]
      : [],
  )
}

/** A reply is known by its button's id. */
function repeatedIds(buttons: readonly { readonly button: MessageButton; readonly path: string }[]): Fault[] {
  const seen = new Set<string>()
  return buttons.flatMap(({ button, path }) => {
    if (button.type !== 'QUICK_REPLY') return []
    if (seen.has(button.id)) return [{ path: `${path}.id`, message: 'must differ from the ids of the other buttons' }]
    seen.add(button.id)
    return []
  })
}

/** What is wrong with the buttons of a text. */
export function buttonFaults(buttons: readonly ButtonOrder[], provider: ProviderKind): Fault[] {
  return [...sortFaults(buttons, provider), ...repeatedLabels(buttons, 'buttons')]
}

/** What is wrong with each, else with the kinds of them together. */
function sortFaults(buttons: readonly ButtonOrder[], provider: ProviderKind): Fault[] {
  const parts = buttons.flatMap((button, index) => partFaults(button, `buttons.${index}`, provider))
  if (parts.length > 0) return parts
  const isReplies = buttons.every(({ type }) => type === 'QUICK_REPLY')
  const isOneUrl = buttons.length === 1 && buttons[0]?.type === 'URL'
  if (provider === 'OFFICIAL' && !isReplies && !isOneUrl) {
    return [
      {
        path: 'buttons',
        message:
          'an OFFICIAL number sends 1 to 3 QUICK_REPLY buttons or exactly one URL button; others need a template',
      },
    ]
  }
  return repeatedIds(textButtons(buttons).map((button, index) => ({ button, path: `buttons.${index}` })))
}

/**
 * What is wrong with a carousel (spec: Messages 5; upstream: the same number of buttons on each card, at least one).
 */
export function carouselFaults({ cards }: CarouselOrder, provider: ProviderKind): Fault[] {
  const wanted = provider === 'OFFICIAL' ? ['QUICK_REPLY'] : ['QUICK_REPLY', 'URL']
  const faults = cards.flatMap((card, cardIndex) => [
    ...imageFaults(card.image, cardIndex),
    ...(card.buttons ?? []).flatMap((button, index) => {
      const path = `carousel.cards.${cardIndex}.buttons.${index}`
      if (!wanted.includes(button.type))
        return [
          { path: `${path}.type`, message: `must be ${wanted.join(' or ')} in a carousel of an ${provider} number` },
        ]
      return partFaults(button, path, provider)
    }),
  ])
  if (faults.length > 0) return faults
  faults.push(...cards.flatMap((card, index) => repeatedLabels(card.buttons ?? [], `carousel.cards.${index}.buttons`)))
  if (provider === 'OFFICIAL')
    faults.push(...unevenCards(cards.map((card) => card.buttons?.length ?? 0)), ...brokenTexts(cards))
  return [
    ...faults,
    ...repeatedIds(
      cards.flatMap((card, cardIndex) =>
        cardButtons(card.buttons ?? [], cardIndex).map((button, index) => ({
          button,
          path: `carousel.cards.${cardIndex}.buttons.${index}`,
        })),
      ),
    ),
  ]
}

function imageFaults(image: string, cardIndex: number): Fault[] {
  return isMediaSource(image)
    ? []
    : [{ path: `carousel.cards.${cardIndex}.image`, message: 'must be an http(s) URL or a base64 data URI' }]
}

/** Upstream's limit. */
const LINE_BREAKS = 2

function brokenTexts(cards: CarouselOrder['cards']): Fault[] {
  return cards.flatMap(({ text }, index) => {
    const isBroken = text.split('\n').length - 1 > LINE_BREAKS
    return isBroken
      ? [
          {
            path: `carousel.cards.${index}.text`,
            message: `must have at most ${LINE_BREAKS} line breaks on an OFFICIAL number`,
          },
        ]
      : []
  })
}

function unevenCards(counts: readonly number[]): Fault[] {
  const [first = 0] = counts
  return counts.flatMap((count, index) => {
    const path = `carousel.cards.${index}.buttons`
    if (count === 0) return [{ path, message: 'needs 1 or 2 buttons on an OFFICIAL number' }]
    return count === first ? [] : [{ path, message: 'must be as many as on the first card' }]
  })
}

function toButton(button: ButtonOrder, madeId: string): MessageButton {
  const { type, text } = button
  switch (type) {
    case 'QUICK_REPLY':
      return { type, text, id: button.id ?? madeId }
    case 'URL':
      return { type, text, url: button.url ?? '' }
    case 'PHONE_NUMBER':
      return { type, text, phoneNumber: numberOf(button) ?? '' }
    case 'COPY_CODE':
      return { type, text, code: codeOf(button) ?? '' }
  }
}

/** Buttons of a text. Our choice of ids: the position. */
export function textButtons(buttons: readonly ButtonOrder[]): MessageButton[] {
  return buttons.map((button, index) => toButton(button, `button_${index + 1}`))
}

/** Buttons of a card; the id names the card too, as replies to all cards come alike. */
export function cardButtons(buttons: readonly ButtonOrder[], cardIndex: number): MessageButton[] {
  return buttons.map((button, index) => toButton(button, `card_${cardIndex + 1}_button_${index + 1}`))
}
