import { beginningOf, isBlank } from './characters.ts'
import type { AutoSend, LeadField, LeadPerson, LeadSource, SkipReason } from './lead.ts'

const DAY_MS = 24 * 3_600_000
/** A lead that is older when it is stored is not answered ([leads.auto-send.6]). */
export const TOO_OLD_MS = DAY_MS
/** A form answers one phone once in this time ([leads.auto-send.11]). */
export const ALREADY_SENT_MS = DAY_MS
/** Characters of an answer that a template takes ([leads.auto-send.15]). */
const ANSWER_LENGTH = 1_024

/** What a lead says of a checkbox. Upstream leaves the list out where the form has none, or it knows nothing. */
export interface LeadConsent {
  readonly key: string
  /** Null when its spelling is unknown ([leads.stored.10]). */
  readonly isChecked: boolean | null
}

/**
 * Decides whether a person agreed, by the checkbox that the form's settings name ([leads.stored.9]); null when unknown.
 */
export function consentOf(consentKey: string | null, consents: readonly LeadConsent[] | null): boolean | null {
  if (consentKey === null) return null
  return consents?.find(({ key }) => key === consentKey)?.isChecked ?? null
}

/** Makes an answer fit a template: one line, each run of spaces one space, and not too long ([leads.auto-send.15]). */
function inOneLine(values: readonly string[]): string {
  // Our choice: several values of one answer are joined by commas.
  const line = values
    .join(', ')
    .replaceAll(/[ \t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')
    .trim()
  return isBlank(line) ? '' : beginningOf(line, ANSWER_LENGTH).trim()
}

/** Fills the variables of the template; null when one that is mapped has neither answer nor fallback. */
export function mappedVariables(
  { variables }: Pick<AutoSend, 'variables'>,
  fields: readonly LeadField[],
): Record<string, string> | null {
  const mapped = Object.entries(variables).map(([key, from]): [string, string] => {
    if ('value' in from) return [key, from.value]
    return [key, inOneLine(fields.find((field) => field.key === from.field)?.values ?? []) || (from.fallback ?? '')]
  })
  return mapped.some(([, text]) => isBlank(text)) ? null : Object.fromEntries(mapped)
}

/** All the facts that decide whether a lead is answered. */
export interface AnswerFacts {
  readonly source: LeadSource
  /** When the person submitted the form, and when the lead is stored. */
  readonly createdAt: Date
  readonly now: Date
  readonly autoSend: AutoSend | null
  readonly consentGiven: boolean | null
  readonly phone: LeadPerson['phone']
  /** Null when the phone is no phone number. */
  readonly phoneDigits: string | null
  /** Null when a variable has no value. */
  readonly variables: Readonly<Record<string, string>> | null
  /** When either side last wrote; null when never. */
  readonly lastMessageAt: Date | null
  /** A lead of the same form and phone is being answered, or was, within ALREADY_SENT_MS. */
  readonly wasAnswered: boolean
}

type Row = readonly [outcome: 'none' | SkipReason, holds: (facts: AnswerFacts) => boolean]

/** The first row that holds decides, when the lead is stored ([leads.auto-send.4] to [leads.auto-send.11]). */
const ROWS: readonly Row[] = [
  ['none', ({ autoSend, source }) => autoSend === null || source === 'backfill'],
  ['too_old', ({ now, createdAt }) => now.getTime() - createdAt.getTime() > TOO_OLD_MS],
  ['no_consent', ({ autoSend, consentGiven }) => autoSend?.onlyWithConsent === true && consentGiven === false],
  ['consent_unknown', ({ autoSend, consentGiven }) => autoSend?.onlyWithConsent === true && consentGiven === null],
  ['no_phone', ({ phone }) => phone === null],
  ['invalid_phone', ({ phoneDigits }) => phoneDigits === null],
  ['missing_variable', ({ variables }) => variables === null],
  [
    'recent_conversation',
    ({ autoSend, lastMessageAt, now }) => isRecent(lastMessageAt, now, autoSend?.skipRecentConversationDays ?? 0),
  ],
  ['already_sent', ({ wasAnswered }) => wasAnswered],
]

/** 0 days turn the rule off. */
function isRecent(at: Date | null, now: Date, days: number): boolean {
  return days > 0 && at !== null && now.getTime() - at.getTime() <= days * DAY_MS
}

/** Decides whether a lead is answered: `send`, or the reason why not. */
export function decideAnswer(facts: AnswerFacts): 'send' | 'none' | SkipReason {
  return ROWS.find(([, holds]) => holds(facts))?.[0] ?? 'send'
}
