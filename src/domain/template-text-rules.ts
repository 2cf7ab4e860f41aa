import { isWebUrl, isMediaSource, isDataUri } from './media-text.ts'
import { codePointsOf, isBlank } from './characters.ts'
import { lineProblems } from './template-line.ts'
import { isReservedName, replacePlaceholders, scanText } from './template-placeholders.ts'
import { buttonPlacesOf, textPlacesOf } from './template-places.ts'
import type { TextPlace } from './template-places.ts'
import { EVERY_SOURCE, inCard, REVIEWED_ONLY } from './template-rule.ts'
import type { Finding, RuleSubject, TemplateRule } from './template-rule.ts'
import { isMediaHeader, isOneOf, isReviewed, TEMPLATE_BUTTONS, TEMPLATE_HEADERS } from './template.ts'
import type { MediaHeader } from './template.ts'

function unsupportedComponents({ body, strays }: RuleSubject): Finding[] {
  const { header } = body
  return [
    ...(isOneOf(TEMPLATE_HEADERS, header.type) ? [] : [{ field: 'header.type', component: header.type }]),
    ...strays.map((component) => ({ field: component.toLowerCase(), component })),
    ...buttonPlacesOf(body).flatMap(({ button, field, card }) =>
      isOneOf(TEMPLATE_BUTTONS, button.type)
        ? []
        : [{ field: `${field}.type`, component: button.type, ...inCard(card) }],
    ),
  ].map((finding) => ({ ...finding, message: `${finding.component} is no component of templates here` }))
}

function missingBody({ body }: RuleSubject): Finding[] {
  return isBlank(body.body?.text) ? [{ field: 'body.text', message: 'A template needs a text in its body' }] : []
}

function malformedVariables({ body }: RuleSubject): Finding[] {
  return textPlacesOf(body).flatMap(({ field, text, card }) => {
    const { placeholders, malformedAt } = scanText(text)
    const reserved = placeholders.find(({ name }) => isReservedName(name))
    if (malformedAt !== null)
      return [
        {
          field,
          ...inCard(card),
          message:
            'Braces stand for variables only: write {{name}}, a letter or _ first, up to 64 letters, digits and _, or a number',
        },
      ]
    return reserved
      ? [
          {
            field,
            ...inCard(card),
            message: `${reserved.name} cannot be the name of a variable: it is a key of a button, the header or a card`,
          },
        ]
      : []
  })
}

/** Lengths in code points ([templates.checks.8]). */
const LENGTHS: Readonly<Partial<Record<TextPlace['kind'], number>>> = {
  HEADER: 60,
  BODY: 1_024,
  FOOTER: 60,
  LABEL: 25,
  URL: 2_000,
}
const CARD_BODY_LENGTH = 160

function tooLong({ body }: RuleSubject): Finding[] {
  return textPlacesOf(body).flatMap(({ kind, field, card, text }) => {
    const max = kind === 'BODY' && card !== null ? CARD_BODY_LENGTH : LENGTHS[kind]
    const actual = codePointsOf(text)
    return max === undefined || actual <= max
      ? []
      : [{ field, max, actual, ...inCard(card), message: `${field} has ${actual} characters, of ${max} at most` }]
  })
}

/** Upstream counts words: white space, invisible marks, punctuation and formatting are none. */
const NO_WORDS = /^[\s\p{Cf}\p{P}~`]*$/u
const BETWEEN = /^[\s\p{Cf}*_~`]*$/u

/**
 * Finds variables at an edge of a body, or side by side. Upstream counts words alone, and takes no two variables
 * without one between them. It never sees the text of LOCAL templates, and writes its own for OTP.
 */
function variablesAtEdge({ body, source, category }: RuleSubject): Finding[] {
  const isUpstream = isReviewed({ source }) && category !== 'OTP'
  return textPlacesOf(body)
    .filter(({ kind }) => kind === 'BODY')
    .flatMap(({ field, card, text }) => [
      ...(isAtEdge(text, isUpstream ? NO_WORDS : /^\s*$/)
        ? [
            {
              field,
              ...inCard(card),
              message:
                'The body cannot start or end with a variable: put words before and behind it, punctuation alone is not enough',
            },
          ]
        : []),
      ...(isUpstream && isSideBySide(text)
        ? [
            {
              field,
              ...inCard(card),
              problem: 'SIDE_BY_SIDE',
              message: 'Two variables cannot stand side by side: put words or punctuation between them',
            },
          ]
        : []),
    ])
}

/** True when only `nothing` stands before the first variable or behind the last. */
function isAtEdge(text: string, nothing: RegExp): boolean {
  const { placeholders } = scanText(text)
  const [first, last] = [placeholders[0], placeholders.at(-1)]
  return (
    first !== undefined
    && last !== undefined
    && (nothing.test(text.slice(0, first.start)) || nothing.test(text.slice(last.end)))
  )
}

function isSideBySide(text: string): boolean {
  const { placeholders } = scanText(text)
  return placeholders.some(
    ({ start }, index) => index > 0 && BETWEEN.test(text.slice(placeholders[index - 1]?.end, start)),
  )
}

function headerText({ body: { header } }: RuleSubject): Finding[] {
  if (header.type !== 'TEXT') return []
  const text = header.text ?? ''
  const plain = replacePlaceholders(text, () => 'x')
  const { placeholders } = scanText(text)
  return [
    ...(isBlank(plain) ? [{ problem: 'EMPTY', message: 'A text header needs a text' }] : []),
    ...lineProblems(plain, 'A text header'),
    ...(placeholders.length > 1 ? [{ problem: 'VARIABLES', message: 'A text header has one variable at most' }] : []),
  ].map((found) => ({ field: 'header.text', ...found }))
}

/** The beginning of a data URI's media type; the bytes themselves are checked when they are kept. */
const DATA_HEADS: Readonly<Record<MediaHeader, string>> = {
  IMAGE: 'data:image/',
  VIDEO: 'data:video/',
  DOCUMENT: 'data:application/pdf',
}

/** Our choice, in UTF-16 units: the type stands at the beginning, however long the head is. */
const HEAD_SEARCHED = 256

function headerMedia({
  body: {
    header: { type, url, base64 },
  },
}: RuleSubject): Finding[] {
  if (!isMediaHeader(type)) return []
  if ((url === undefined) === (base64 === undefined))
    return [{ field: 'header', message: `A header of type ${type} needs either url or base64` }]
  if (url !== undefined)
    return isWebUrl(url) ? [] : [{ field: 'header.url', message: 'header.url must be an http(s) URL' }]
  const data = base64 ?? ''
  const head = DATA_HEADS[type]
  const isOfType =
    isDataUri(data)
    && isMediaSource(data)
    && data.slice(0, HEAD_SEARCHED).replaceAll(/\s/g, '').toLowerCase().startsWith(head)
  return isOfType
    ? []
    : [{ field: 'header.base64', message: `header.base64 must be a base64 data URI that begins with ${head}` }]
}

function footerVariables({ body }: RuleSubject): Finding[] {
  const { placeholders } = scanText(body.footer?.text ?? '')
  return placeholders.length > 0 ? [{ field: 'footer.text', message: 'The footer cannot have variables' }] : []
}

function footerText({ body }: RuleSubject): Finding[] {
  return lineProblems(body.footer?.text ?? '', 'The footer').map((found) => ({ field: 'footer.text', ...found }))
}

/** Rules of header, body and footer, in the order of [templates.checks.5] to [templates.checks.12]. */
export const TEMPLATE_TEXT_RULES: readonly TemplateRule[] = [
  {
    code: 'TEMPLATE_COMPONENT_NOT_SUPPORTED',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: unsupportedComponents,
    when: 'A header or a button is of LOCATION, CATALOG, MPM, LIMITED_TIME_OFFER, a one-tap or zero-tap code, VOICE_CALL or an unknown type; `component` names it',
  },
  {
    code: 'TEMPLATE_BODY_REQUIRED',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: missingBody,
    when: 'The body has no text, or a blank one',
  },
  {
    code: 'TEMPLATE_VARIABLE_MALFORMED',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: malformedVariables,
    when: 'Braces are unpaired, empty or other than `{{name}}`, or the name is one of a key (`button_1`, `header_1`, `card_1_x`)',
  },
  {
    code: 'TEMPLATE_FIELD_TOO_LONG',
    upstreamCode: 2388040,
    sources: EVERY_SOURCE,
    find: tooLong,
    when: 'Header over 60 characters, body 1024, footer 60, label 25, URL 2000, text of a card 160; `max` and `actual` in Unicode code points',
  },
  {
    code: 'TEMPLATE_BODY_VARIABLE_AT_EDGE',
    upstreamCode: 2388299,
    sources: EVERY_SOURCE,
    find: variablesAtEdge,
    when: 'The body starts or ends with a variable, outer white space not counted. On OFFICIAL numbers, but for OTP, punctuation, formatting and invisible marks do not count either, and no two variables stand side by side (`problem`: SIDE_BY_SIDE)',
  },
  {
    code: 'TEMPLATE_HEADER_TEXT_INVALID',
    upstreamCode: 2388047,
    sources: EVERY_SOURCE,
    find: headerText,
    when: 'A text header has emojis, line breaks, formatting or two variables; `problem`: EMPTY, EMOJI, LINE_BREAK, FORMATTING, VARIABLES',
  },
  {
    code: 'TEMPLATE_HEADER_MEDIA_INVALID',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: headerMedia,
    when: 'A media header has neither or both of `url` and `base64`, a URL that is not http(s), or no base64 data URI of its type',
  },
  {
    code: 'TEMPLATE_FOOTER_VARIABLE',
    upstreamCode: 2388073,
    sources: EVERY_SOURCE,
    find: footerVariables,
    when: 'The footer has a variable',
  },
  {
    code: 'TEMPLATE_FOOTER_TEXT_INVALID',
    upstreamCode: 2388072,
    sources: REVIEWED_ONLY,
    find: footerText,
    when: 'The footer has emojis, line breaks or formatting; `problem`: EMOJI, LINE_BREAK, FORMATTING',
  },
]
