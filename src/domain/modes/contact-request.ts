import { read } from '../fault.ts'
import type { Read } from '../fault.ts'

export interface ContactRequestBody {
  /** Says what the number is wanted for. Upstream writes the button below. */
  readonly text: string
}

/** A question for the phone number of a user who hides it. */
export interface ContactRequestMode {
  readonly mode: 'contactRequest'
  readonly contactRequest: ContactRequestBody
}

/** Reads a question for the number ([message-verbs.modes.5]). */
export function readContactRequest({ text }: ContactRequestBody): Read<ContactRequestMode> {
  return read({ mode: 'contactRequest', contactRequest: { text } })
}
