import type { LiveStatus } from '../../../../src/domain/call.ts'
import type { Answer } from '../../../ui/session/answers.ts'
import type { PhoneCall } from './state.ts'

/** The routes of calls that the softphone needs. */
export interface PhoneCalls {
  place(numberId: string, to: string): Promise<Answer<{ readonly id: string; readonly status: LiveStatus }>>
  session(call: PhoneCall): Promise<Answer<{ readonly wsUrl: string }>>
  /** A session that takes the call over from its bot ([realtime.takeover.1]). */
  takeOver(call: PhoneCall): Promise<Answer<{ readonly wsUrl: string }>>
  /** Gives the call back to its bot; goes out even when the page closes. */
  giveBack(call: PhoneCall): Promise<Answer<unknown>>
  accept(call: PhoneCall): Promise<Answer<unknown>>
  reject(call: PhoneCall): Promise<Answer<unknown>>
  /** Goes out even when the page closes ([dashboard.softphone.8]). */
  terminate(call: PhoneCall): Promise<Answer<unknown>>
}
