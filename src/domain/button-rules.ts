import { codePointsOf } from './characters.ts'
import { faultsIn, faulty, read } from './fault.ts'
import type { Fault, Read } from './fault.ts'
import { kindOf } from './kinds/kinds.ts'
import { isMediaSource, isWebUrl } from './media-text.ts'
import type { MessageButton } from './message.ts'
import type { ProviderKind } from './number.ts'
import type { CarouselMode } from './outgoing.ts'
import { repeats } from './modes/repeats.ts'
import { phoneDigits } from './phone-reading.ts'
import type { ButtonBody, CarouselBody } from './send-body.ts'
import { hasCredentials, NO_CREDENTIALS } from './web-address.ts'

/** Reads one button by itself. `madeId` is the id of a reply button whose sender gives none. */
function readButton(given: ButtonBody, path: string, madeId: string, provider: ProviderKind): Read<MessageButton> {
  const button = readType(given, path, madeId)
  const { labelLength } = kindOf({ provider }).buttons
  if (labelLength === null || codePointsOf(given.text) <= labelLength) return button
  const message = `must be 1 to ${labelLength} characters on an ${provider} number`
  return faulty({ path: `${path}.text`, message }, ...faultsIn(button))
}

function readType(given: ButtonBody, path: string, madeId: string): Read<MessageButton> {
  const { type, text, example } = given
  switch (type) {
    case 'QUICK_REPLY':
      return read({ type, text, id: given.id ?? madeId })
    case 'URL': {
      const { url } = given
      if (!url || !isWebUrl(url)) return faulty({ path: `${path}.url`, message: 'must be an http(s) URL' })
      return hasCredentials(url) ? faulty({ path: `${path}.url`, message: NO_CREDENTIALS }) : read({ type, text, url })
    }
    case 'PHONE_NUMBER': {
      const typed = given.phoneNumber ?? given.phone_number
      const phoneNumber = typed ? phoneDigits(typed) : null
      const message = 'must be a phone number with its country code'
      return phoneNumber === null ? faulty({ path: `${path}.phoneNumber`, message }) : read({ type, text, phoneNumber })
    }
    case 'COPY_CODE': {
      const code = given.code ?? (typeof example === 'string' ? example : example?.[0]) ?? null
      return code === null
        ? faulty({ path: `${path}.code`, message: 'is needed with COPY_CODE' })
        : read({ type, text, code })
    }
  }
}

/** Upstream refuses two buttons of one label, and nobody can tell them apart. */
function repeatedLabels(buttons: readonly ButtonBody[], path: string): Fault[] {
  return repeats(
    buttons.map(({ text }, index) => ({ path: `${path}.${index}`, text })),
    ({ text }) => text.trim(),
    'text',
    'the texts of the other buttons',
  )
}

/** Two reply buttons of one id are refused: the peer's choice comes back as the id alone. */
function repeatedIds(buttons: readonly { readonly button: MessageButton; readonly path: string }[]): Fault[] {
  const replies = buttons.flatMap(({ button, path }) =>
    button.type === 'QUICK_REPLY' ? [{ path, id: button.id }] : [],
  )
  return repeats(replies, ({ id }) => id, 'id', 'the ids of the other buttons')
}

/** Gives all values, or the faults of every one that has any. */
function all<T>(each: readonly Read<T>[]): Read<readonly T[]> {
  const faults = each.flatMap(faultsIn)
  return faults.length > 0 ? faulty(...faults) : read(each.flatMap((one) => (one.ok ? [one.value] : [])))
}

/** Reads the buttons of a text, 1 to 3. A reply button without an id gets one of its position (our choice). */
export function readButtons(given: readonly ButtonBody[], provider: ProviderKind): Read<readonly MessageButton[]> {
  const made = all(
    given.map((button, index) => readButton(button, `buttons.${index}`, `button_${index + 1}`, provider)),
  )
  const faults = [...(made.ok ? sortFaults(made.value, provider) : made.faults), ...repeatedLabels(given, 'buttons')]
  return faults.length > 0 ? faulty(...faults) : made
}

/** Finds what is wrong with the types of buttons together. */
function sortFaults(buttons: readonly MessageButton[], provider: ProviderKind): Fault[] {
  const isReplies = buttons.every(({ type }) => type === 'QUICK_REPLY')
  const isOneUrl = buttons.length === 1 && buttons[0]?.type === 'URL'
  if (!kindOf({ provider }).buttons.areMixed && !isReplies && !isOneUrl) {
    const allowed = 'sends 1 to 3 QUICK_REPLY buttons or exactly one URL button; others need a template'
    return [{ path: 'buttons', message: `an ${provider} number ${allowed}` }]
  }
  return repeatedIds(buttons.map((button, index) => ({ button, path: `buttons.${index}` })))
}

type CardBody = CarouselBody['cards'][number]
type Card = CarouselMode<string>['cards'][number]

/**
 * Reads a carousel ([messages.carousel.1]; upstream wants the same number of buttons on each card, at least one). The
 * ids that are made name the card too, since replies to all cards come alike.
 */
export function readCarousel({ text, cards: given }: CarouselBody, provider: ProviderKind): Read<CarouselMode<string>> {
  const cards = all(given.map((card, index) => readCard(card, index, provider)))
  if (!cards.ok) return cards
  const faults = [
    ...given.flatMap((card, index) => repeatedLabels(card.buttons ?? [], `${cardPath(index)}.buttons`)),
    ...unlikeCards(cards.value, provider),
    ...repeatedIds(
      cards.value.flatMap(({ buttons }, card) =>
        buttons.map((button, index) => ({ button, path: `${cardPath(card)}.buttons.${index}` })),
      ),
    ),
  ]
  return faults.length > 0 ? faulty(...faults) : read({ mode: 'carousel', text, cards: cards.value })
}

function cardPath(index: number): string {
  return `carousel.cards.${index}`
}

function readCard({ image, text, buttons: given }: CardBody, place: number, provider: ProviderKind): Read<Card> {
  const { cardTypes } = kindOf({ provider }).buttons
  const noImage: Fault = { path: `${cardPath(place)}.image`, message: 'must be an http(s) URL or a base64 data URI' }
  const buttons = all(
    (given ?? []).map((button, index) => {
      const path = `${cardPath(place)}.buttons.${index}`
      const message = `must be ${cardTypes.join(' or ')} in a carousel of an ${provider} number`
      return cardTypes.includes(button.type)
        ? readButton(button, path, `card_${place + 1}_button_${index + 1}`, provider)
        : faulty({ path: `${path}.type`, message })
    }),
  )
  if (!isMediaSource(image)) return faulty(noImage, ...faultsIn(buttons))
  return buttons.ok ? read({ image, text, buttons: buttons.value }) : buttons
}

/** Finds the cards that do not match the others, on a number whose cards have to be alike. */
function unlikeCards(cards: readonly Card[], provider: ProviderKind): Fault[] {
  const alike = kindOf({ provider }).buttons.cardsAlike
  return alike ? [...unevenCards(cards, provider), ...brokenTexts(cards, alike.lineBreaks, provider)] : []
}

function brokenTexts(cards: readonly Card[], most: number, provider: ProviderKind): Fault[] {
  const message = `must have at most ${most} line breaks on an ${provider} number`
  return cards.flatMap(({ text }, index) =>
    text.split('\n').length - 1 > most ? [{ path: `${cardPath(index)}.text`, message }] : [],
  )
}

function unevenCards(cards: readonly Card[], provider: ProviderKind): Fault[] {
  const counts = cards.map(({ buttons }) => buttons.length)
  const [first = 0] = counts
  return counts.flatMap((count, index) => {
    const path = `${cardPath(index)}.buttons`
    if (count === 0) return [{ path, message: `needs 1 or 2 buttons on an ${provider} number` }]
    return count === first ? [] : [{ path, message: 'must be as many as on the first card' }]
  })
}
