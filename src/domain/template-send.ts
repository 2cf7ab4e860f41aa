import type { Fields } from './json-fields.ts'
import { occurrencesOf, upstreamNature } from './template-keys.ts'
import type { Occurrence } from './template-keys.ts'
import type { ValueOf } from './template-render.ts'
import { isMediaHeader } from './template.ts'
import type { ParameterFormat, ParameterKeys, TemplateBody, TemplateCategory, TemplateParameters } from './template.ts'

/** A file that was uploaded to the phone's media upstream. */
export interface SentMedia {
  readonly id: string
  /** The name of a document. */
  readonly fileName: string | null
}

export interface SendFacts {
  readonly category: TemplateCategory
  readonly parameters: TemplateParameters
  readonly valueOf: ValueOf
  readonly headerMedia: SentMedia | null
  /** Ids of the pictures, one for each card. */
  readonly cardMedia: readonly string[]
  /** Gives the Flow of a button of type FLOW, by the button's position from 1. */
  flowOf(button: number): { readonly token: string; readonly data: Fields | null } | null
}

function textParameter(key: string, text: string, format: ParameterFormat): Fields {
  return { type: 'text', ...(format === 'NAMED' ? { parameter_name: key } : {}), text }
}

/** Makes the parameters of a text in upstream's order; each key is one of those that the text has. */
function textParameters(
  keys: ParameterKeys,
  occurrences: readonly Occurrence[],
  { parameters, valueOf }: SendFacts,
): Fields[] {
  return keys.map((key) => {
    const occurrence = occurrences.find((one) => one.key === key)
    return textParameter(key, (occurrence && valueOf(occurrence)) ?? '', parameters.format)
  })
}

function mediaParameter(type: string, { id, fileName }: SentMedia): Fields {
  const name = type.toLowerCase()
  return { type: name, [name]: { id, ...(type === 'DOCUMENT' && fileName !== null ? { filename: fileName } : {}) } }
}

function component(type: string, parameters: readonly Fields[]): Fields[] {
  return parameters.length === 0 ? [] : [{ type, parameters }]
}

type ButtonKind = 'URL' | 'CODE' | 'PAYMENT'
/** Upstream's name for a button that is filled in, and its one parameter. */
const BUTTONS: Readonly<Record<ButtonKind, readonly [subType: string, parameter: (text: string) => Fields]>> = {
  URL: ['url', (text) => ({ type: 'text', text })],
  CODE: ['copy_code', (text) => ({ type: 'coupon_code', coupon_code: text })],
  PAYMENT: ['payment_request', (text) => ({ type: 'text', text })],
}

function button(subType: string, index: number, parameter: Fields): Fields {
  return { type: 'button', sub_type: subType, index: String(index), parameters: [parameter] }
}

function isButton(kind: string): kind is ButtonKind {
  return Object.hasOwn(BUTTONS, kind)
}

function filledButtons(
  occurrences: readonly Occurrence[],
  card: number | null,
  { valueOf }: SendFacts,
): { readonly at: number; readonly sent: Fields }[] {
  return occurrences.flatMap((occurrence) => {
    const { kind, button: number, card: ofCard } = occurrence.place
    if (ofCard !== card || number === null || !isButton(kind)) return []
    const [subType, parameter] = BUTTONS[kind]
    return [{ at: number, sent: button(subType, number - 1, parameter(valueOf(occurrence) ?? '')) }]
  })
}

function flowButtons(
  { buttons }: TemplateBody,
  { flowOf }: SendFacts,
): { readonly at: number; readonly sent: Fields }[] {
  return buttons.flatMap(({ type }, index) => {
    const flow = type === 'FLOW' ? flowOf(index + 1) : null
    if (flow === null) return []
    const action = { flow_token: flow.token, ...(flow.data === null ? {} : { flow_action_data: flow.data }) }
    return [{ at: index + 1, sent: button('flow', index, { type: 'action', action }) }]
  })
}

/**
 * Makes the components of a code: it goes into the text, and again into the button that copies it
 * ([templates.send.13]).
 */
function otpComponents(occurrences: readonly Occurrence[], facts: SendFacts): Fields[] {
  const code = occurrences.find(({ place }) => place.kind === 'BODY')
  const text = (code && facts.valueOf(code)) ?? ''
  return [
    ...component('body', textParameters(facts.parameters.body, occurrences, facts)),
    button('url', 0, { type: 'text', text }),
  ]
}

function carouselComponent({ carousel }: TemplateBody, occurrences: readonly Occurrence[], facts: SendFacts): Fields[] {
  if (carousel === null) return []
  return [
    {
      type: 'carousel',
      cards: carousel.cards.map((_card, index) => {
        const ofCard = occurrences.filter(({ place }) => place.card === index + 1)
        return {
          card_index: index,
          components: [
            ...component('header', [{ type: 'image', image: { id: facts.cardMedia[index] ?? '' } }]),
            ...component(
              'body',
              textParameters(
                facts.parameters.cards[index] ?? [],
                ofCard.filter(({ place }) => place.kind === 'BODY'),
                facts,
              ),
            ),
            ...filledButtons(ofCard, index + 1, facts).map(({ sent }) => sent),
          ],
        }
      }),
    },
  ]
}

/**
 * Makes what upstream is sent for a template with checked values: only components with parameters
 * ([templates.send.11]).
 */
export function sendComponentsOf(body: TemplateBody, facts: SendFacts): Fields[] {
  const occurrences = occurrencesOf(body, upstreamNature(facts))
  if (facts.category === 'OTP') return otpComponents(occurrences, facts)
  const { type } = body.header
  const ofText = (kind: 'HEADER' | 'BODY') =>
    occurrences.filter(({ place }) => place.kind === kind && place.card === null)
  const header = isMediaHeader(type)
    ? facts.headerMedia
      ? [mediaParameter(type, facts.headerMedia)]
      : []
    : textParameters(facts.parameters.header, ofText('HEADER'), facts)
  const buttons = [...filledButtons(occurrences, null, facts), ...flowButtons(body, facts)].sort(
    (one, other) => one.at - other.at,
  )
  return [
    ...component('header', header),
    ...component('body', textParameters(facts.parameters.body, ofText('BODY'), facts)),
    ...buttons.map(({ sent }) => sent),
    ...carouselComponent(body, occurrences, facts),
  ]
}
