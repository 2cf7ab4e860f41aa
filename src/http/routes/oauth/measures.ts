import type { OAuthAnswer } from '../../../ports/authorization-server.ts'
import type { Metrics } from '../../../ports/metrics.ts'

type Counted = (sent: Buffer, answer: OAuthAnswer) => void

/** Counts the answers of the protocol: tokens issued and refused, registrations, revocations. */
export interface OAuthMeasures {
  readonly token: Counted
  readonly revoke: Counted
  readonly register: Counted
}

const GRANT_TYPES = ['authorization_code', 'refresh_token']

/** Makes the counters of the protocol. Of a request only its kind is a label. */
export function oauthMeasures(metrics: Metrics): OAuthMeasures {
  const tokens = metrics.counter('oauth_tokens_total', 'Requests for tokens, by type of grant and outcome', [
    'grant_type',
    'outcome',
  ])
  const registrations = metrics.counter('oauth_registrations_total', 'Registrations of clients, by outcome', [
    'outcome',
  ])
  return {
    token(sent, answer) {
      const type = new URLSearchParams(sent.toString('latin1')).get('grant_type') ?? ''
      tokens.add({ grant_type: GRANT_TYPES.includes(type) ? type : 'other', outcome: outcomeOf(answer, 'issued') })
    },
    revoke: () => {},
    register: (_, answer) => registrations.add({ outcome: outcomeOf(answer, 'registered') }),
  }
}

function outcomeOf({ status }: OAuthAnswer, done: string): string {
  return status < 300 ? done : 'refused'
}
