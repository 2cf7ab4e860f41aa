import type { Checker } from './checker.ts'
import { eachEventIsDelivered, nothingElseIsDelivered } from './deliveries.ts'
import { eachWrittenIsStoredOnce, writtenKeepTheirOrder } from './inbound.ts'
import { eachAcceptedIsSentOnce, nothingElseIsSent, sendsKeepTheirOrder } from './sends.ts'
import { eachStepIsToldOnce, noStatusIsLost, statusesGoForward } from './statuses.ts'

/** Every checker that looks at a run once it is over, by the promise that it holds. */
export const CHECKERS: Readonly<Record<string, Checker>> = {
  'what is accepted is sent once': eachAcceptedIsSentOnce,
  'nothing is sent that nobody asked for': nothingElseIsSent,
  'a conversation keeps its order out': sendsKeepTheirOrder,
  'a status never goes back': statusesGoForward,
  'each step of a message is told once': eachStepIsToldOnce,
  'what is written is stored and told once': eachWrittenIsStoredOnce,
  'a conversation keeps its order in': writtenKeepTheirOrder,
  'statuses are not lost': noStatusIsLost,
  'each event is delivered under its id': eachEventIsDelivered,
  'nothing is delivered that did not happen': nothingElseIsDelivered,
}
