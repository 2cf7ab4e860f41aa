import { isFields, own, type Fields } from '../../../src/domain/json-fields.ts'
import { assertLength, refusal } from './template-error.ts'
import { faultOfPlaceholders, hasPlaceholders, isAtEdge, namesIn, withoutPlaceholders } from './placeholders.ts'
import type { ParameterFormat } from './template.ts'

/** Upstream's limits of texts, in characters. */
const HEADER_MAX = 60
const BODY_MAX = 1_024
const FOOTER_MAX = 60
const CARD_BODY_MAX = 160
const CARD_LINE_BREAKS_MAX = 2

/** Signs of brands are allowed. */
const EMOJI = /(?![©®™])\p{Extended_Pictographic}/u
const FORMATTING = /[*~`]|(?:^|\s)_[^_]+_(?:\s|$)/

/** True when a text has emoji, more than one line, or formatting. */
export function isDecorated(text: string): boolean {
  return EMOJI.test(text) || /[\r\n]/.test(text) || FORMATTING.test(text)
}

export interface GivenText {
  readonly text?: string | undefined
  readonly example?: Fields | undefined
}

function isSample(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
}

function hasNumberedSamples(count: number, kind: 'header' | 'body', example: Fields): boolean {
  const given = own(example, `${kind}_text`)
  const samples: unknown = kind === 'body' && Array.isArray(given) ? given[0] : given
  return Array.isArray(samples) && samples.length === count && samples.every(isSample)
}

function hasNamedSamples(names: readonly string[], kind: 'header' | 'body', example: Fields): boolean {
  const given = own(example, `${kind}_text_named_params`)
  if (!Array.isArray(given) || given.length !== names.length) return false
  return names.every((name) =>
    given.some((one: unknown) => isFields(one) && own(one, 'param_name') === name && isSample(own(one, 'example'))),
  )
}

/** Checks that each variable has a sample, in the form of its format. */
function assertSamples(kind: 'header' | 'body', { text = '', example = {} }: GivenText, format: ParameterFormat): void {
  const names = namesIn(text, format)
  const isComplete =
    names.length === 0
    || (format === 'NAMED' ? hasNamedSamples(names, kind, example) : hasNumberedSamples(names.length, kind, example))
  if (!isComplete)
    throw refusal('sample', 'Sample missing', `The ${kind} has ${names.length} variable(s): give a sample for each.`)
}

/** Checks a text header: one line without emoji and formatting, with at most one variable. */
export function checkTextHeader(given: GivenText, format: ParameterFormat): void {
  const { text = '' } = given
  const bare = withoutPlaceholders(text)
  const fault =
    text.trim() === ''
      ? 'is empty'
      : (faultOfPlaceholders(text, format)
        ?? (EMOJI.test(bare)
          ? 'has an emoji'
          : /[\r\n]/.test(text)
            ? 'has a line break'
            : FORMATTING.test(bare)
              ? 'has formatting'
              : null)
        ?? (namesIn(text, format).length > 1 ? 'has more than one variable' : null))
  if (fault !== null) throw refusal('header', 'Header format is wrong', `The header ${fault}.`)
  assertLength(text, HEADER_MAX, 'header')
  assertSamples('header', given, format)
}

/** Upstream wants more words than variables; it does not say how many. our choice: as many words as variables. */
function assertRatio(text: string, format: ParameterFormat): void {
  const words = withoutPlaceholders(text)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length >= namesIn(text, format).length) return
  throw refusal(
    'ratio',
    'Too many variables',
    'This template has too many variables for its length. Reduce the number of variables or increase the message length.',
  )
}

function checkVariables(given: GivenText, format: ParameterFormat): void {
  const { text = '' } = given
  const fault = faultOfPlaceholders(text, format)
  if (fault !== null) throw refusal('body', 'Body format is wrong', `The body ${fault}.`)
  if (isAtEdge(text))
    throw refusal('edge', 'Leading or trailing variable', "Variables can't be at the start or end of the template.")
  assertRatio(text, format)
  assertSamples('body', given, format)
}

export function checkBody(given: GivenText, format: ParameterFormat): void {
  const { text = '' } = given
  if (text.trim() === '') throw refusal('body', 'Body format is wrong', 'The body has no text.')
  assertLength(text, BODY_MAX, 'body')
  checkVariables(given, format)
}

/** Checks the body of a card. */
export function checkCardBody(given: GivenText, format: ParameterFormat): void {
  const { text = '' } = given
  if (text.trim() === '') throw refusal('body', 'Body format is wrong', 'The body of a card has no text.')
  assertLength(text, CARD_BODY_MAX, 'body of a card')
  if (text.split('\n').length > CARD_LINE_BREAKS_MAX + 1)
    throw refusal('body', 'Body format is wrong', 'The body of a card has more than 2 line breaks.')
  checkVariables(given, format)
}

export function checkFooter(text: string = ''): void {
  if (text.trim() === '') throw refusal('footer', 'Footer format is wrong', 'The footer has no text.')
  if (hasPlaceholders(text)) throw refusal('footer', 'Footer format is wrong', "The footer can't have variables.")
  if (isDecorated(text))
    throw refusal('footerText', 'Footer format is wrong', "The footer can't have emojis, line breaks or formatting.")
  assertLength(text, FOOTER_MAX, 'footer')
}
