import { beginningOf, isBlank } from './characters.ts'
import type { AutoSend, LeadField, LeadPerson, LeadSource, SkipReason } from './lead.ts'

const DAY_MS = 24 * 3_600_000
/** contract 12, Auto-send: a lead older than that is not answered. */
export const TOO_OLD_MS = DAY_MS
/** contract 12, Auto-send: a form answers one phone once in that time. */
export const ALREADY_SENT_MS = DAY_MS
/** contract 12, Auto-send: an answer of it takes so many characters of a template. */
const ANSWER_LENGTH = 1_024

/** What a lead says of a checkbox. Upstream leaves the array away where it was not asked for it, or knows nothing. */
export interface LeadConsent {
  readonly key: string
  /** Null: a spelling nobody knows. */
  readonly isChecked: boolean | null
}

/** Whether a person agreed, by the checkbox the form's settings name (contract 12, Stored). Null: nobody knows. */
export function consentOf(consentKey: string | null, consents: readonly LeadConsent[] | null): boolean | null {
  if (consentKey === null) return null
  return consents?.find(({ key }) => key === consentKey)?.isChecked ?? null
}

/** An answer as a template takes it: in one line, each run of spaces one, and not too long. */
function inOneLine(values: readonly string[]): string {
  // Our choice: several values of one answer are listed.
  const line = values
    .join(', ')
    .replaceAll(/[ \t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')
    .trim()
  return isBlank(line) ? '' : beginningOf(line, ANSWER_LENGTH).trim()
}

/** The variables of the template; null: one that is mapped has neither answer nor fallback. */
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

/** All that decides whether a lead is answered. */
export interface AnswerFacts {
  readonly source: LeadSource
  /** When the person submitted the form, and when the lead is stored. */
  readonly createdAt: Date
  readonly now: Date
  readonly autoSend: AutoSend | null
  readonly consentGiven: boolean | null
  readonly phone: LeadPerson['phone']
  /** Null: the phone is no phone number. */
  readonly phoneDigits: string | null
  /** Null: one is missing. */
  readonly variables: Readonly<Record<string, string>> | null
  /** When either side wrote last; null: never. */
  readonly lastMessageAt: Date | null
  /** A lead of the same form and phone is being answered, or was, within ALREADY_SENT_MS. */
  readonly wasAnswered: boolean
}

type Row = readonly [outcome: 'none' | SkipReason, holds: (facts: AnswerFacts) => boolean]

/** contract 12, Auto-send: the first row that holds decides, when the lead is stored. */
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

/** 0 days: off. */
function isRecent(at: Date | null, now: Date, days: number): boolean {
  return days > 0 && at !== null && now.getTime() - at.getTime() <= days * DAY_MS
}

/** Whether a lead is answered: `send`, or why not. */
export function decideAnswer(facts: AnswerFacts): 'send' | 'none' | SkipReason {
  return ROWS.find(([, holds]) => holds(facts))?.[0] ?? 'send'
}
