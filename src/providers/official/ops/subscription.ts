import { fail, succeed } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { SubscriptionPort } from '../../../ports/official/subscription.ts'
import type { Graph } from '../client/graph.ts'
import { credentialsRefusalOf } from '../errors/error-map.ts'

/** The webhooks of a number's account, over `/{account id}/subscribed_apps`. */
export function subscriptionOps(graph: Graph, credentials: OfficialCredentials): SubscriptionPort {
  return {
    async subscribe(callbackUrl, verifyToken) {
      const answer = await graph.ask(credentials, {
        op: 'webhooks.subscribe',
        method: 'POST',
        path: [credentials.accountId, 'subscribed_apps'],
        body: { override_callback_uri: callbackUrl, verify_token: verifyToken },
        isRepeatable: true,
      })
      return answer.ok ? succeed(null) : fail(credentialsRefusalOf(answer.failure))
    },
  }
}
