import type { Fault } from '../../ui/session/answers.ts'
import type { DashboardWords } from '../../words/dashboard/words.ts'

/**
 * Words of a page for codes of refusals; other codes are said by their kind. The service's own words follow those that
 * end with a colon, such as the reason that upstream gave.
 */
export type CodeWords = Readonly<Record<string, string>>

/** The words for a failure, with what to do about it; a page's own words for its code come first. */
export function faultText(fault: Fault, { faults }: DashboardWords, codes: CodeWords = {}): string {
  const own = fault.code === undefined ? undefined : codes[fault.code]
  if (own !== undefined) return own
  return fault.kind === 'BUSY'
    ? faults.BUSY(Math.max(1, Math.ceil((fault.retryAfterMs ?? 5_000) / 1_000)))
    : faults[fault.kind]
}
