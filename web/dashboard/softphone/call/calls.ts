import type { Fault } from '../../../ui/session/answers.ts'
import type { LiveStatus, PhoneCall } from './state.ts'

/** An answer of the service: what was asked for, or why not. `isGone` when asking again cannot help. */
export type Answered<T> =
  | { readonly body: T }
  | { readonly refusal: { readonly fault: Fault; readonly isGone: boolean } }

/** The routes of calls that the softphone needs. */
export interface PhoneCalls {
  place(numberId: string, to: string): Promise<Answered<{ readonly id: string; readonly status: LiveStatus }>>
  session(call: PhoneCall): Promise<Answered<{ readonly wsUrl: string }>>
  accept(call: PhoneCall): Promise<Answered<unknown>>
  reject(call: PhoneCall): Promise<Answered<unknown>>
  /** Goes out even when the page closes ([dashboard.softphone.8]). */
  terminate(call: PhoneCall): Promise<Answered<unknown>>
}
