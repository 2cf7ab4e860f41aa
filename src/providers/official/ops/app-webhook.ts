import type { PageWebhookStatus } from '../../../domain/lead.ts'
import type { PageCredentials, PagePort, UpstreamRead } from '../../../ports/official/pages.ts'
import type { Graph } from '../client/graph.ts'
import { LEADGEN } from '../lead/shown.ts'
import { objectsIn, textIn } from '../values/loose.ts'
import { doneIn } from '../client/read-result.ts'
import { signedAsks } from './signed-asks.ts'
import type { SignedAsks } from './signed-asks.ts'

const PAGE = 'page'

/** An app's subscription to the object `page`. */
interface AppSubscription {
  readonly callbackUrl: string
  readonly fields: readonly string[]
  readonly isActive: boolean
}

/**
 * The app's own webhook, over `/{app}/subscriptions` with `app|secret` as the token. What upstream says of that token
 * says nothing of the Page's.
 */
export function appWebhookOps(
  graph: Graph,
  { pageId, appId, appSecret }: PageCredentials,
): Pick<PagePort, 'subscribeApp' | 'appWebhook'> {
  const path = [appId, 'subscriptions']
  const asksHiding = (...secrets: string[]) =>
    signedAsks(graph, { queue: `page:${pageId}`, accessToken: `${appId}|${appSecret}`, appSecret: null }, [
      appSecret,
      ...secrets,
    ])
  return {
    async subscribeApp(callbackUrl, verifyToken) {
      const asks = asksHiding(verifyToken)
      const found = await findSubscription(asks, path)
      if (found.kind !== 'read') return unlessRefused(found)
      const status = statusOf(found.value, callbackUrl)
      // Another callback is never overwritten ([leads.linking.3]).
      if (status !== 'NOT_SUBSCRIBED') return { kind: 'read', value: status }
      const fields = [...new Set([...(found.value?.fields ?? []), LEADGEN])].join(',')
      const made = await asks.ask(
        {
          op: 'app.subscribe',
          method: 'POST',
          path,
          fields: { object: PAGE, callback_url: callbackUrl, verify_token: verifyToken, fields },
        },
        doneIn,
      )
      return made.kind === 'read' ? { kind: 'read', value: 'SUBSCRIBED' } : unlessRefused(made)
    },
    async appWebhook(callbackUrl) {
      const found = await findSubscription(asksHiding(), path)
      return found.kind === 'read' ? { kind: 'read', value: statusOf(found.value, callbackUrl) } : unlessRefused(found)
    },
  }
}

async function findSubscription(
  asks: SignedAsks,
  path: readonly string[],
): Promise<UpstreamRead<AppSubscription | null>> {
  return await asks.ask({ op: 'app.webhook', method: 'GET', path }, (body) => {
    if (!Array.isArray(body['data'])) return null
    const own = objectsIn(body, 'data').find((one) => textIn(one, 'object') === PAGE)
    if (!own) return { value: null }
    // Upstream names each field with its version; older answers have bare names.
    const fields = Array.isArray(own['fields'])
      ? own['fields'].flatMap((field: unknown) => (typeof field === 'string' ? [field] : []))
      : []
    const named = objectsIn(own, 'fields').flatMap((field) => textIn(field, 'name') ?? [])
    return {
      value: {
        callbackUrl: textIn(own, 'callback_url') ?? '',
        fields: [...fields, ...named],
        isActive: own['active'] !== false,
      },
    }
  })
}

function statusOf(subscription: AppSubscription | null, callbackUrl: string): PageWebhookStatus {
  if (subscription === null) return 'NOT_SUBSCRIBED'
  if (!isSameUrl(subscription.callbackUrl, callbackUrl)) return 'OTHER_CALLBACK'
  return subscription.isActive && subscription.fields.includes(LEADGEN) ? 'SUBSCRIBED' : 'NOT_SUBSCRIBED'
}

function isSameUrl(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href)
}

/** Turns a refusal of the app's own subscription, its secret's included, into a status ([leads.linking.5]). */
function unlessRefused(read: Exclude<UpstreamRead<unknown>, { kind: 'read' }>): UpstreamRead<PageWebhookStatus> {
  return read.kind === 'refused' || read.kind === 'token-dead' ? { kind: 'read', value: 'NOT_SUBSCRIBED' } : read
}
