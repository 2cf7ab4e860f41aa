import type { Checker } from './checker.ts'
import { eachWrittenIsStoredOnce, noStatusIsLost, writtenKeepTheirOrder } from './inbound.ts'
import { eachAcceptedIsSentOnce, eachEndIsToldOnce, nothingElseIsSent, sendsKeepTheirOrder } from './sends.ts'

/** Every checker that looks at a run once it is over, by the promise that it holds. */
export const CHECKERS: Readonly<Record<string, Checker>> = {
  'what is accepted is sent once': eachAcceptedIsSentOnce,
  'nothing is sent that nobody asked for': nothingElseIsSent,
  'a conversation keeps its order out': sendsKeepTheirOrder,
  'the end of a message is told once': eachEndIsToldOnce,
  'what is written is stored and told once': eachWrittenIsStoredOnce,
  'a conversation keeps its order in': writtenKeepTheirOrder,
  'statuses are not lost': noStatusIsLost,
}
