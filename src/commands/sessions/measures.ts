import type { Outcome } from '../../domain/errors.ts'
import type { Metrics } from '../../ports/metrics.ts'

/** What a person signs in with. */
export type SignedInBy = 'key' | 'link' | 'password' | 'invitation'

/** Counts logins; no series names who signed in. */
export interface LoginMeasures {
  ended(by: SignedInBy, outcome: Outcome<unknown>): void
}

/** Makes the series of logins. */
export function createLoginMeasures(metrics: Metrics): LoginMeasures {
  const logins = metrics.counter('logins_total', 'Logins to the dashboard, by what was shown and outcome.', [
    'by',
    'outcome',
  ])
  return { ended: (by, outcome) => logins.add({ by, outcome: outcomeOf(outcome) }) }
}

function outcomeOf(outcome: Outcome<unknown>): string {
  if (outcome.ok) return 'ok'
  const { code } = outcome.error
  return code === 'RATE_LIMITED' ? 'limited' : code === 'BUSY' ? 'busy' : 'refused'
}
