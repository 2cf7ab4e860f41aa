import type { PeopleWords } from '../words/people/words.ts'
import type { Fault } from '../ui/session/answers.ts'

/** The words for a failure, with what to do about it. */
export function faultText(fault: Fault, { faults }: PeopleWords): string {
  return fault.kind === 'BUSY'
    ? faults.BUSY(Math.max(1, Math.ceil((fault.retryAfterMs ?? 60_000) / 60_000)))
    : faults[fault.kind]
}
