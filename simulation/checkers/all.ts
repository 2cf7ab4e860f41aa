import { accountIsAsUpstream, answersOfAccountsHold, nothingIsInDoubt } from './accounts.ts'
import { batchesKeepTheirPace, canceledIsNotSent } from './batches.ts'
import { whatWaitsIsBounded } from './bounded.ts'
import { nothingWaits } from './calm.ts'
import { eachCallEndsOnce, noCallIsLeft } from './calls.ts'
import type { Checker } from './checker.ts'
import { countsEqualRows } from './counts.ts'
import { eachEventIsDelivered, nothingElseIsDelivered, whatIsToldIsSigned } from './deliveries.ts'
import { eachWrittenIsStoredOnce, writtenKeepTheirOrder } from './inbound.ts'
import { removedHasEnded, removedIsGone } from './removed.ts'
import { eachAcceptedIsSentOnce, nothingElseIsSent, nothingIsSentEarly, sendsKeepTheirOrder } from './sends.ts'
import { lastSettingHolds, settingsAreUsed } from './settings.ts'
import { statesAreTrue } from './states.ts'
import { eachStepIsToldOnce, noStatusIsLost, statusesGoForward } from './statuses.ts'

/** Every checker that looks at a run once it is over, by the promise that it holds. */
export const CHECKERS: Readonly<Record<string, Checker>> = {
  'what is accepted is sent once': eachAcceptedIsSentOnce,
  'nothing is sent before its time': nothingIsSentEarly,
  'nothing is sent that nobody asked for': nothingElseIsSent,
  'a conversation keeps its order out': sendsKeepTheirOrder,
  'a batch keeps its pace': batchesKeepTheirPace,
  'what is canceled is not sent': canceledIsNotSent,
  'a status never goes back': statusesGoForward,
  'each step of a message is told once': eachStepIsToldOnce,
  'what is written is stored and told once': eachWrittenIsStoredOnce,
  'a conversation keeps its order in': writtenKeepTheirOrder,
  'statuses are not lost': noStatusIsLost,
  'each event is delivered under its id': eachEventIsDelivered,
  'nothing waits while nothing fails': nothingWaits,
  'what waits is bounded': whatWaitsIsBounded,
  'a number is what it is said to be': statesAreTrue,
  'the last setting holds': lastSettingHolds,
  'a device has the settings of its number': settingsAreUsed,
  'one call has one end': eachCallEndsOnce,
  'no call goes on that is over': noCallIsLeft,
  'nothing is left of a removed number': removedIsGone,
  'what is accepted has an end, also of a removed number': removedHasEnded,
  'an account is the same on both sides': accountIsAsUpstream,
  'it is known what became of what upstream was asked': nothingIsInDoubt,
  'what was answered of a template or a Flow holds': answersOfAccountsHold,
  'counts equal rows': countsEqualRows,
  'nothing is delivered that did not happen': nothingElseIsDelivered,
  'a tenant can verify what it is told': whatIsToldIsSigned,
}
