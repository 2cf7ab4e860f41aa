import { isWebUrl } from './media-text.ts'
import { occurrencesOf } from './template-keys.ts'
import { EVERY_SOURCE, REVIEWED_ONLY } from './template-rule.ts'
import type { CardHosts, Finding, RuleSubject, TemplateRule } from './template-rule.ts'
import type { TemplateBody, TemplateCard } from './template.ts'

/** Minutes that a code stays valid ([templates.special-buttons.1]). */
const EXPIRATION_MINUTES = { min: 1, max: 90 }

function otpProblems({ body, ...subject }: RuleSubject): Finding[] {
  const minutes = body.footer?.codeExpirationMinutes
  const isInTime =
    minutes === undefined
    || (Number.isInteger(minutes) && minutes >= EXPIRATION_MINUTES.min && minutes <= EXPIRATION_MINUTES.max)
  const keys = new Set(occurrencesOf(body, subject).map(({ key }) => key))
  const hasOtherButtons = body.buttons.length > 1 || body.buttons.some(({ type }) => type !== 'COPY_CODE')
  return [
    ...(keys.size === 1
      ? []
      : [{ field: 'body.text', problem: 'VARIABLES', message: 'An OTP template has exactly one variable: the code' }]),
    ...(body.header.type === 'NONE'
      ? []
      : [{ field: 'header', problem: 'HEADER', message: 'An OTP template has no header' }]),
    ...(body.carousel === null
      ? []
      : [{ field: 'carousel', problem: 'CAROUSEL', message: 'An OTP template has no carousel' }]),
    ...(body.footer?.text === undefined
      ? []
      : [
          {
            field: 'footer.text',
            problem: 'FOOTER',
            message: 'An OTP template has no text in its footer: give codeExpirationMinutes',
          },
        ]),
    ...(isInTime
      ? []
      : [
          {
            field: 'footer.codeExpirationMinutes',
            problem: 'EXPIRATION',
            message: 'codeExpirationMinutes is a whole number from 1 to 90',
          },
        ]),
    ...(hasOtherButtons
      ? [{ field: 'buttons', problem: 'BUTTONS', message: 'An OTP template has one button of type COPY_CODE' }]
      : []),
  ]
}

function otp(subject: RuleSubject): Finding[] {
  return subject.category === 'OTP' ? otpProblems(subject) : []
}

/** Counts of a carousel ([templates.checks.23]). */
const CARDS = { min: 2, max: 10 }
const CARD_BUTTONS = { min: 1, max: 2 }
const CARD_BODY_BREAKS = 2
const CARD_BUTTON_TYPES: ReadonlySet<string> = new Set(['QUICK_REPLY', 'URL'])
const BREAK = /\r\n|[\n\r\u2028\u2029]/

function layoutProblems({ header, footer, buttons }: TemplateBody): Finding[] {
  const parts = [header.type === 'NONE' ? null : 'header', footer && 'footer', buttons.length > 0 ? 'buttons' : null]
  return parts.flatMap((field) =>
    field === null ? [] : [{ field, problem: 'LAYOUT', message: `A carousel cannot have ${field} beside it` }],
  )
}

function typesOf(card: TemplateCard | undefined): string {
  return (card?.buttons ?? []).map(({ type }) => type).join()
}

type CardProblem = readonly [problem: string, part: string, message: string]

function hasTooManyBreaks(text: string): boolean {
  return text.split(BREAK, CARD_BODY_BREAKS + 2).length > CARD_BODY_BREAKS + 1
}

function problemsOfCard(card: TemplateCard, typesOfFirst: string, someHaveBody: boolean): CardProblem[] {
  const count = card.buttons.length
  return [
    ...(count < CARD_BUTTONS.min || count > CARD_BUTTONS.max
      ? [['BUTTONS', 'buttons', 'A card has 1 or 2 buttons'] as const]
      : []),
    ...(card.buttons.some(({ type }) => !CARD_BUTTON_TYPES.has(type))
      ? [['BUTTON_TYPE', 'buttons', 'Buttons of cards are of type QUICK_REPLY or URL'] as const]
      : []),
    ...(typesOf(card) === typesOfFirst
      ? []
      : [
          [
            'BUTTONS_DIFFER',
            'buttons',
            'Every card has the buttons of the first: as many, of the same types, in the same order',
          ] as const,
        ]),
    ...(someHaveBody && card.body === null
      ? [['BODY_MISSING', 'body', 'Either every card has a text or none has'] as const]
      : []),
    ...(card.body !== null && hasTooManyBreaks(card.body.text)
      ? [['BODY_BREAKS', 'body.text', `The text of a card has at most ${CARD_BODY_BREAKS} line breaks`] as const]
      : []),
  ]
}

function carousel({ body, category }: RuleSubject): Finding[] {
  if (body.carousel === null) return []
  const { cards } = body.carousel
  const someHaveBody = cards.some((card) => card.body !== null)
  const typesOfFirst = typesOf(cards[0])
  const isCount = cards.length >= CARDS.min && cards.length <= CARDS.max
  return [
    ...(category === 'MARKETING'
      ? []
      : [{ field: 'carousel', problem: 'CATEGORY', message: 'A carousel is of category MARKETING' }]),
    ...layoutProblems(body),
    ...(isCount
      ? []
      : [
          {
            field: 'carousel.cards',
            problem: 'CARDS',
            actual: cards.length,
            max: CARDS.max,
            message: `A carousel has ${CARDS.min} to ${CARDS.max} cards`,
          },
        ]),
    ...cards.flatMap((card, index) =>
      problemsOfCard(card, typesOfFirst, someHaveBody).map(([problem, part, message]) => ({
        field: `carousel.cards.${index}.${part}`,
        problem,
        card: index + 1,
        message: `Card ${index + 1}: ${message}`,
      })),
    ),
  ]
}

export type CardMediaProblem = 'NOT_HTTPS' | 'EXTENSION' | 'QUERY' | 'FORBIDDEN_ADDRESS'

const EXTENSION = /\.(?:png|jpe?g|webp)$/i
const CARD_MEDIA_MESSAGES: Readonly<Record<CardMediaProblem, string>> = {
  NOT_HTTPS: 'must be an https URL',
  EXTENSION: 'must end in .png, .jpg, .jpeg or .webp',
  QUERY: 'must have no query string and no fragment',
  FORBIDDEN_ADDRESS: 'must lead to a public address',
}

/** Finds what is wrong with the address of a card's picture, before it is fetched ([templates.checks.24]). */
export function cardMediaProblems(text: string, hosts: CardHosts): CardMediaProblem[] {
  const url = isWebUrl(text) && !/\s/.test(text) ? new URL(text) : null
  if (url === null) return ['NOT_HTTPS']
  const isSafe = url.protocol === 'https:' || hosts.isAllowed(url.hostname)
  return [
    ...(isSafe ? [] : ['NOT_HTTPS' as const]),
    ...(EXTENSION.test(url.pathname) ? [] : ['EXTENSION' as const]),
    ...(text.includes('?') || text.includes('#') ? ['QUERY' as const] : []),
    ...(hosts.isForbidden(url.hostname) && !hosts.isAllowed(url.hostname) ? ['FORBIDDEN_ADDRESS' as const] : []),
  ]
}

/** Gives the same problems as findings; pictures that a send gives are checked by it, too. `card` counts from 1. */
export function cardMediaFindings(text: string, card: number, field: string, hosts: CardHosts): Finding[] {
  return cardMediaProblems(text, hosts).map((problem) => ({
    field,
    problem,
    card,
    message: `The media of card ${card} ${CARD_MEDIA_MESSAGES[problem]}`,
  }))
}

function cardMedia({ body, hosts, isKept }: RuleSubject): Finding[] {
  return (body.carousel?.cards ?? []).flatMap(({ media }, index) =>
    isKept(media.url) ? [] : cardMediaFindings(media.url, index + 1, `carousel.cards.${index}.media.url`, hosts),
  )
}

/** Rules of codes and carousels, in the order of [templates.checks.22] to [templates.checks.24]. */
export const TEMPLATE_CAROUSEL_RULES: readonly TemplateRule[] = [
  {
    code: 'TEMPLATE_OTP_INVALID',
    upstreamCode: null,
    sources: REVIEWED_ONLY,
    find: otp,
    when: 'An OTP template has not exactly one variable, a header, a carousel, a text in its footer, or another button than one COPY_CODE; `problem`',
  },
  {
    code: 'TEMPLATE_CAROUSEL_INVALID',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: carousel,
    when:
      '`problem`, `card`: CATEGORY (not MARKETING), LAYOUT (header, footer or buttons beside it), CARDS (not 2 to 10), BUTTONS (not 1 or 2), BUTTON_TYPE (not QUICK_REPLY or URL), '
      + 'BUTTONS_DIFFER (count, order or types unlike card 1), BODY_MISSING (on some only), BODY_BREAKS (over 2 line breaks)',
  },
  {
    code: 'TEMPLATE_CARD_MEDIA_URL_INVALID',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: cardMedia,
    when: '`card`, `problem`: NOT_HTTPS, EXTENSION (.png, .jpg, .jpeg, .webp), QUERY (or fragment), FORBIDDEN_ADDRESS',
  },
]
