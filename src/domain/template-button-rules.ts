import { isBlank } from './characters.ts'
import { FLOW_ACTIONS } from './flow.ts'
import { phoneDigits, plainText } from './phone-reading.ts'
import { lineProblems } from './template-line.ts'
import { scanText, soleName } from './template-placeholders.ts'
import { buttonPlacesOf } from './template-places.ts'
import type { ButtonPlace } from './template-places.ts'
import { EVERY_SOURCE, inCard, REVIEWED_ONLY } from './template-rule.ts'
import type { Finding, RuleSubject, TemplateRule } from './template-rule.ts'
import { isPlaceholderDomain, urlProblems } from './template-url.ts'
import type { UrlProblem } from './template-url.ts'
import { isOneOf, isReviewed, TEMPLATE_BUTTONS } from './template.ts'
import type { TemplateButton, TemplateButtonType } from './template.ts'

type NeededField = 'text' | 'url' | 'phone_number' | 'example' | 'flowId'

/** Fields that a button of the type cannot do without ([templates.body.10] to [templates.body.16]). */
const NEEDED: Readonly<Record<TemplateButtonType, readonly NeededField[]>> = {
  QUICK_REPLY: ['text'],
  URL: ['text', 'url'],
  PHONE_NUMBER: ['text', 'phone_number'],
  COPY_CODE: ['example'],
  PAYMENT_REQUEST: ['example'],
  FLOW: ['text', 'flowId'],
  ORDER_DETAILS: ['text'],
}

function isMissing(button: TemplateButton, field: NeededField): boolean {
  return isBlank(field === 'example' ? button.example?.join('') : button[field])
}

function buttonFields({ body, category, source }: RuleSubject): Finding[] {
  const isOfUpstream = isReviewed({ source })
  return buttonPlacesOf(body).flatMap(({ button, field, card }) => {
    if (!isOneOf(TEMPLATE_BUTTONS, button.type)) return []
    // Upstream puts the code of the body into an OTP button, so the button has none of its own; other types are not
    // filled.
    const isFilledUpstream = isOfUpstream && category === 'OTP' && button.type === 'COPY_CODE'
    const needed = NEEDED[button.type].filter((name) => !(isFilledUpstream && name === 'example'))
    const isStrangeAction =
      button.type === 'FLOW' && button.action !== undefined && !isOneOf(FLOW_ACTIONS, button.action)
    return [
      ...needed
        .filter((name) => isMissing(button, name))
        .map((name) => ({
          field: `${field}.${name}`,
          ...inCard(card),
          message: `A button of type ${button.type} needs ${name}`,
        })),
      ...(isStrangeAction
        ? [{ field: `${field}.action`, ...inCard(card), message: `action must be one of ${FLOW_ACTIONS.join(', ')}` }]
        : []),
      ...(isOfUpstream ? labelProblems(button) : []).map((found) => ({
        field: `${field}.text`,
        ...inCard(card),
        ...found,
      })),
      ...(scanText(button.text ?? '').placeholders.length > 0
        ? [{ field: `${field}.text`, ...inCard(card), message: 'The label of a button cannot have variables' }]
        : []),
    ]
  })
}

/** The codes of upstream's answer to a label that is no plain line. */
const LABEL_CODES = { upstreamCode: 100, upstreamSubcode: 2388060 }

function labelProblems({ text = '' }: TemplateButton) {
  return lineProblems(text, 'The label of a button').map((found) => ({ ...found, ...LABEL_CODES }))
}

/** Finds labels that an earlier button shown beside it has already; outer white space does not count. */
function equalLabels({ body, source }: RuleSubject): Finding[] {
  if (!isReviewed({ source })) return []
  const seen = new Set<string>()
  return buttonPlacesOf(body).flatMap(({ button, field, card }) => {
    if (isBlank(button.text)) return []
    const label = `${card ?? ''} ${button.text?.trim()}`
    if (seen.has(label))
      return [
        {
          field: `${field}.text`,
          problem: 'DUPLICATE',
          ...inCard(card),
          message: 'Two buttons that are shown together have the same label',
        },
      ]
    seen.add(label)
    return []
  })
}

function orderDetailsAlone({ body: { buttons } }: RuleSubject): Finding[] {
  const at = buttons.findIndex(({ type }) => type === 'ORDER_DETAILS')
  return at >= 0 && buttons.length > 1
    ? [{ field: `buttons.${at}`, problem: 'NOT_ALONE', message: 'A button of type ORDER_DETAILS stands alone' }]
    : []
}

/** Buttons of a template at most ([templates.checks.14]). */
const BUTTONS_IN_ALL = 10
const BUTTONS_OF: Readonly<Record<TemplateButtonType, number>> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  PAYMENT_REQUEST: 1,
  FLOW: 1,
  ORDER_DETAILS: 1,
}

function buttonCounts({ body: { buttons } }: RuleSubject): Finding[] {
  const ofTypes = TEMPLATE_BUTTONS.flatMap((type) => {
    const [actual, max] = [buttons.filter((button) => button.type === type).length, BUTTONS_OF[type]]
    return actual > max
      ? [{ field: 'buttons', type, max, actual, message: `A template has at most ${max} buttons of type ${type}` }]
      : []
  })
  const isOver = buttons.length > BUTTONS_IN_ALL
  return [
    ...ofTypes,
    ...(isOver
      ? [
          {
            field: 'buttons',
            max: BUTTONS_IN_ALL,
            actual: buttons.length,
            message: `A template has at most ${BUTTONS_IN_ALL} buttons`,
          },
        ]
      : []),
  ]
}

function buttonGroups({ body: { buttons } }: RuleSubject): Finding[] {
  const runs = buttons.filter(
    ({ type }, index) => type === 'QUICK_REPLY' && buttons[index - 1]?.type !== 'QUICK_REPLY',
  ).length
  return runs > 1
    ? [{ field: 'buttons', message: 'Quick replies stand side by side, before or behind the other buttons' }]
    : []
}

/** Lists the buttons of a type that have the field; another rule finds those without it. */
function buttonsWith(subject: RuleSubject, type: TemplateButtonType, field: NeededField): ButtonPlace[] {
  return buttonPlacesOf(subject.body).filter(({ button }) => button.type === type && !isMissing(button, field))
}

const URL_MESSAGES: Readonly<Record<UrlProblem, string>> = {
  FORM: 'The URL of a button must begin with http:// or https:// and have no white space',
  VARIABLE_IN_DOMAIN: 'The domain of a URL cannot have a variable: put it behind the first / after the host',
  VARIABLE_COUNT: 'A URL has one variable at most',
  VARIABLE_NOT_AT_END: 'The variable of a URL stands at its end',
}

function urls(subject: RuleSubject): Finding[] {
  return buttonsWith(subject, 'URL', 'url').flatMap(({ button, field, card }) =>
    urlProblems(button.url ?? '').map((problem) => ({
      field: `${field}.url`,
      problem,
      ...inCard(card),
      message: URL_MESSAGES[problem],
    })),
  )
}

function urlDomains(subject: RuleSubject): Finding[] {
  return buttonsWith(subject, 'URL', 'url')
    .filter(({ button }) => isPlaceholderDomain(button.url ?? ''))
    .map(({ field, card }) => ({
      field: `${field}.url`,
      ...inCard(card),
      message: 'The URL of a button leads to a domain that is kept for examples: use your own',
    }))
}

function phones(subject: RuleSubject): Finding[] {
  return buttonsWith(subject, 'PHONE_NUMBER', 'phone_number').flatMap(({ button, field, card }) => {
    const text = button.phone_number ?? ''
    return plainText(text)?.startsWith('+') && phoneDigits(text) !== null
      ? []
      : [
          {
            field: `${field}.phone_number`,
            ...inCard(card),
            message: 'phone_number must be + and 8 to 15 digits, the country code first',
          },
        ]
  })
}

/** A fixed code at creation ([templates.checks.19]). */
const CODE = /^[A-Za-z0-9]{1,15}$/

function codes(subject: RuleSubject): Finding[] {
  return buttonsWith(subject, 'COPY_CODE', 'example').flatMap(({ button: { example = [] }, field, card }) => {
    const [code = ''] = example
    return example.length === 1 && (CODE.test(code) || soleName(code) !== null)
      ? []
      : [
          {
            field: `${field}.example`,
            ...inCard(card),
            message: 'The code to copy must be 1 to 15 letters and digits, or one variable',
          },
        ]
  })
}

function payments(subject: RuleSubject): Finding[] {
  return buttonsWith(subject, 'PAYMENT_REQUEST', 'example').flatMap(({ button: { example = [] }, field, card }) =>
    example.length === 1 && soleName(example[0] ?? '') !== null
      ? []
      : [
          {
            field: `${field}.example`,
            ...inCard(card),
            message: 'The example of a payment request is one variable, whose value a send gives',
          },
        ],
  )
}

function flows(subject: RuleSubject): Finding[] {
  return buttonsWith(subject, 'FLOW', 'flowId').flatMap(({ button, field, card }) => {
    const status = subject.flowStatusOf(button.flowId ?? '')
    if (status === 'PUBLISHED') return []
    const [problem, message] =
      status === null
        ? ['NOT_FOUND', 'flowId names no Flow of this account']
        : ['NOT_PUBLISHED', 'The Flow is not published']
    return [{ field: `${field}.flowId`, problem, ...inCard(card), message }]
  })
}

/**
 * Rules of buttons, in the order of [templates.checks.13] to [templates.checks.21]; those of URLs hold on cards as
 * well.
 */
export const TEMPLATE_BUTTON_RULES: readonly TemplateRule[] = [
  {
    code: 'TEMPLATE_BUTTON_INVALID',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: (subject) => [...buttonFields(subject), ...equalLabels(subject), ...orderDetailsAlone(subject)],
    when: "A field of the button's type is missing or blank, its label has a variable, or ORDER_DETAILS does not stand alone. On OFFICIAL numbers also a label with emojis, line breaks or formatting (100/2388060), or one that another button beside it has; `problem`: EMOJI, LINE_BREAK, FORMATTING, DUPLICATE",
  },
  {
    code: 'TEMPLATE_BUTTON_LIMIT',
    upstreamCode: 100,
    sources: EVERY_SOURCE,
    find: buttonCounts,
    when: 'Over 10 buttons in all, 10 QUICK_REPLY, 2 URL, 1 each of PHONE_NUMBER, COPY_CODE, PAYMENT_REQUEST, FLOW, ORDER_DETAILS; `type`, `max`',
  },
  {
    code: 'TEMPLATE_BUTTON_GROUPING',
    upstreamCode: 100,
    sources: REVIEWED_ONLY,
    find: buttonGroups,
    when: 'Quick replies do not stand side by side, as QUICK_REPLY, URL, QUICK_REPLY',
  },
  {
    code: 'TEMPLATE_URL_INVALID',
    upstreamCode: 100,
    sources: EVERY_SOURCE,
    find: urls,
    when: '`problem`: FORM (not http(s), white space), VARIABLE_IN_DOMAIN (before the first `/` behind the host), VARIABLE_COUNT, VARIABLE_NOT_AT_END',
  },
  {
    code: 'TEMPLATE_URL_PLACEHOLDER_DOMAIN',
    upstreamCode: 368,
    upstreamSubcode: 1346003,
    sources: REVIEWED_ONLY,
    find: urlDomains,
    when: 'The URL leads to example.com, .net or .org, to .example, .test, .invalid, localhost, yourdomain.com, yoursite.com, yourwebsite.com, or below one of them',
  },
  {
    code: 'TEMPLATE_BUTTON_PHONE_INVALID',
    upstreamCode: 192,
    sources: EVERY_SOURCE,
    find: phones,
    when: 'The number is not `+` and 8 to 15 digits; punctuation is allowed',
  },
  {
    code: 'TEMPLATE_COPY_CODE_INVALID',
    upstreamCode: 100,
    sources: EVERY_SOURCE,
    find: codes,
    when: 'The code is neither 1 to 15 letters and digits nor one variable',
  },
  {
    code: 'TEMPLATE_PAYMENT_INVALID',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: payments,
    when: 'The `example` of PAYMENT_REQUEST is not one variable',
  },
  {
    code: 'TEMPLATE_FLOW_INVALID',
    upstreamCode: null,
    sources: REVIEWED_ONLY,
    find: flows,
    when: '`flowId` names no Flow of the account, or one that is not PUBLISHED; `problem`: NOT_FOUND, NOT_PUBLISHED',
  },
]
