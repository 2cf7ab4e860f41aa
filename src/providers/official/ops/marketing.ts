import type { NumberId } from '../../../domain/ids.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { MarketingDoor } from '../../../ports/official/marketing.ts'
import type { SendableContent } from '../../../ports/provider.ts'
import type { Graph, GraphAnswer } from '../client/graph.ts'
import { isDecided } from '../client/write-result.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import { isNotShown } from '../errors/error-map.ts'

/** How a refusal at the endpoint for MARKETING templates is meant. */
type Refused =
  /** This message is not taken there. */
  | 'message'
  /** None of the account is. */
  | 'account'

/**
 * Upstream's codes for a template that is not taken there: a bad parameter, which a template of another category is
 * too; one that is not synced yet, or not available; and a message that is no marketing.
 */
const OF_MESSAGE: ReadonlySet<number | null> = new Set([100, 131_009, 134_100, 134_101, 134_102])
/** Upstream's codes for a permission that is missing, and for a path that it does not know. */
const OF_ACCOUNT: ReadonlySet<number | null> = new Set([3, 10, 2_500])
/** More codes of permissions. */
const PERMISSIONS = { from: 200, to: 299 }
const NOT_FOUND = 404

/**
 * Sends the body of a message where it goes: MARKETING templates of an account that is let in to upstream's endpoint
 * for them, all others to `/{phone id}/messages`. What is refused at the endpoint as not meant for it goes the way of
 * all messages at once, since nothing was sent. Any other answer stands: none at all may be one of a message that went.
 */
export function marketingOps(
  graph: Graph,
  credentials: OfficialCredentials,
  { numberId, door }: { readonly numberId: NumberId; readonly door: MarketingDoor | null },
) {
  const post = (op: string, edge: string, body: Readonly<Record<string, unknown>>): Promise<GraphAnswer> =>
    graph.ask(credentials, {
      op,
      method: 'POST',
      path: [credentials.phoneId, edge],
      body,
      isRepeatable: false,
      lane: 'messages',
    })
  /** Asked once, in the place that the message has among those of the number. */
  async function isLetIn(): Promise<boolean | null> {
    const answer = await graph.ask(credentials, {
      op: 'marketing.read',
      method: 'GET',
      path: [credentials.accountId],
      query: { fields: 'marketing_messages_onboarding_status' },
      isRepeatable: false,
      lane: 'messages',
    })
    if (!answer.ok) return null
    const status = answer.body['marketing_messages_onboarding_status']
    return typeof status === 'string' ? status === 'ONBOARDED' : null
  }
  return {
    async send(content: SendableContent, body: Readonly<Record<string, unknown>>): Promise<GraphAnswer> {
      const isMarketing = content.mode === 'template' && content.isMarketing === true
      if (door !== null && isMarketing && (await door.isOpen(numberId, isLetIn))) {
        const answer = await post('message.marketing', 'marketing_messages', body)
        const refused = answer.ok ? null : refusedThere(answer.failure)
        if (refused === null) return answer
        if (refused === 'account') await door.refused(numberId)
      }
      return post('message.send', 'messages', body)
    },
  }
}

/** How a failure at the endpoint is meant; null when it is one of the message, or leaves it in doubt. */
function refusedThere(failure: GraphFailure): Refused | null {
  if (failure.kind === 'unreadable') return failure.status === NOT_FOUND ? 'account' : null
  if (failure.kind !== 'error' || !isDecided(failure)) return null
  const { code, status } = failure
  const isOfPermission = code !== null && code >= PERMISSIONS.from && code <= PERMISSIONS.to
  if (OF_ACCOUNT.has(code) || isOfPermission || (code === null && status === NOT_FOUND)) return 'account'
  if (code === 100 && isNotShown(failure)) return 'account'
  return OF_MESSAGE.has(code) ? 'message' : null
}
