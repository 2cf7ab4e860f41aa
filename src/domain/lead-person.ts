import { isBlank } from './characters.ts'
import type { LeadField, LeadPerson } from './lead.ts'

/** An answer as upstream has it. */
export interface LeadAnswer {
  readonly key: string
  readonly values: readonly string[]
}

/** A question of the form, as far as it says what an answer is. */
export interface LeadQuestion {
  readonly key: string
  readonly label: string
  readonly type: string
}

/**
 * Which answers name a person: keys upstream gives its own questions, then types of questions (contract 12, Stored).
 */
const NAMED = {
  fullName: ['full_name', 'FULL_NAME'],
  firstName: ['first_name', 'FIRST_NAME'],
  lastName: ['last_name', 'LAST_NAME'],
  email: ['email', 'EMAIL'],
  phone: ['phone_number', 'PHONE'],
} as const

/** Our choice: the other word for a question that asks for a phone. */
const SAME_TYPES: Readonly<Record<string, string>> = { PHONE_NUMBER: 'PHONE' }

function typeOf({ type }: LeadQuestion): string {
  const word = type.toUpperCase()
  return SAME_TYPES[word] ?? word
}

/** The first value that is no blank. */
function valueOf(answer: LeadAnswer | undefined): string | null {
  return answer?.values.find((value) => !isBlank(value)) ?? null
}

/** The person of a lead, answers in upstream's order and as typed. `questions` null: the form could not be read. */
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
