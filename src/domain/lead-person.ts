import { isBlank } from './characters.ts'
import type { LeadField, LeadPerson } from './lead.ts'

/** An answer of a lead as upstream has it. */
export interface LeadAnswer {
  readonly key: string
  readonly values: readonly string[]
}

/** A question of the form: the fields that tell what an answer to it means. */
export interface LeadQuestion {
  readonly key: string
  readonly label: string
  readonly type: string
}

/**
 * Which answers name a person: the key that upstream gives its own question, then the type of question
 * ([leads.stored.1], [leads.stored.2]).
 */
const NAMED = {
  fullName: ['full_name', 'FULL_NAME'],
  firstName: ['first_name', 'FIRST_NAME'],
  lastName: ['last_name', 'LAST_NAME'],
  email: ['email', 'EMAIL'],
  phone: ['phone_number', 'PHONE'],
} as const

/** Our choice: another word that means a question for a phone. */
const SAME_TYPES: Readonly<Record<string, string>> = { PHONE_NUMBER: 'PHONE' }

function typeOf({ type }: LeadQuestion): string {
  const word = type.toUpperCase()
  return SAME_TYPES[word] ?? word
}

/** Gives the first value that is not blank. */
function valueOf(answer: LeadAnswer | undefined): string | null {
  return answer?.values.find((value) => !isBlank(value)) ?? null
}

/**
 * Reads the person of a lead, answers in upstream's order and as typed ([leads.stored.3]). `questions` is null when the
 * form could not be read.
 */
export function personOf(answers: readonly LeadAnswer[], questions: readonly LeadQuestion[] | null): LeadPerson {
  const named = (what: keyof typeof NAMED): string | null => {
    const [key, type] = NAMED[what]
    const ofType = questions?.find((question) => typeOf(question) === type)?.key
    return (
      valueOf(answers.find((answer) => answer.key === key)) ?? valueOf(answers.find((answer) => answer.key === ofType))
    )
  }
  const joined = [named('firstName'), named('lastName')].filter((part) => part !== null).join(' ')
  const fields = answers.map(({ key, values }): LeadField => ({ key, label: labelOf(key, questions), values }))
  return {
    fullName: named('fullName') ?? (joined === '' ? null : joined),
    email: named('email'),
    phone: named('phone'),
    fields,
  }
}

function labelOf(key: string, questions: readonly LeadQuestion[] | null): string {
  return questions?.find((question) => question.key === key)?.label || key
}
