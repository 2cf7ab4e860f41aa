import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { LeadCommands } from '../../../commands/leads/leads.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { IsSigned, ReadLeadNotices } from '../../../ports/official/changes.ts'
import type { RateLimiter } from '../../../ports/rate-limiter.ts'
import type { LeadNotice } from '../../../ports/stores/lead-notice-store.ts'
import { route } from '../../request/route.ts'
import type { RawBody, Route } from '../../request/route.ts'
import { isSameText } from '../../request/same-text.ts'
import { countLargePost, postRefusal, takeOfPosts } from '../official-webhooks/post-limits.ts'
import { challengeQuery } from '../official-webhooks/schema.ts'

export interface LeadWebhookDeps {
  readonly leadCommands: LeadCommands
  readonly isSigned: IsSigned
  readonly readLeadNotices: ReadLeadNotices
  readonly limiter: RateLimiter
  readonly log: Log
  readonly metrics: Metrics
}

const appParams = z.object({
  appId: z.string().max(64).meta({ description: 'Upstream’s id of the app that Pages were linked with' }),
})
const received = z
  .object({ stored: z.int().meta({ description: 'Leads that were not told of before' }) })
  .meta({ id: 'LeadWebhookReceived' })

const FACTS = {
  path: '/webhooks/official/pages/{appId}',
  group: 'Official webhooks',
  access: { by: ['nobody'], of: 'service' },
  params: appParams,
} as const
/** our choice, in bytes, as for webhooks of numbers: three times the largest post of upstream. */
const BODY_BYTES = 10_000_000
/** our choice: notices of leads for all Pages of an app, and for one Page: some hundred times what busy ones get. */
const APP_NOTICES_PER_MINUTE = 20_000
const PAGE_NOTICES_PER_MINUTE = 5_000
/**
 * our choice: a Page with at most this many notices in a post counts for its app alone, so that a post of many Pages
 * does not need a count for each.
 */
const FEW_NOTICES = 20

/**
 * The webhook where upstream tells of leads ([leads.webhook.1]). It needs no key, because the signature proves the
 * sender ([leads.webhook.3]). Unsigned posts count for the address, and signed notices for the app and its Pages.
 */
export function leadWebhookRoutes(deps: LeadWebhookDeps): Route[] {
  return [challenge(deps), receive(deps)]
}

function challenge({ leadCommands }: LeadWebhookDeps): Route {
  return route({
    ...FACTS,
    method: 'get',
    name: 'verifyLeadWebhook',
    summary: 'Prove to the official platform that this address of Pages is ours',
    query: challengeQuery,
    answer: { status: 200, description: 'The challenge', type: 'text/plain' },
    refusals: ['FORBIDDEN', 'VALIDATION'],
    async handle({ params, query }) {
      // The verify token of any app is answered, because upstream verifies the webhook while the app's first Page is
      // being linked.
      const isOurs =
        query['hub.mode'] === 'subscribe'
        && isSameText(leadCommands.verifyToken(params.appId), query['hub.verify_token'] ?? '')
      if (!isOurs) throw new RefusalError(refuse('FORBIDDEN', 'The verify token is not the one of this webhook'))
      return { status: 200, body: query['hub.challenge'] ?? '', type: 'text/plain; charset=utf-8' }
    },
  })
}

function receive(deps: LeadWebhookDeps): Route {
  const { leadCommands, readLeadNotices, limiter, log } = deps
  const noticesTotal = deps.metrics.counter(
    'lead_notices_total',
    'Leads that webhooks told of, by whether they were new.',
    ['outcome'],
  )
  return route({
    ...FACTS,
    method: 'post',
    name: 'receiveLeadWebhook',
    bucket: 'notices',
    rawBodyBytes: BODY_BYTES,
    summary: 'Take notices of leads from the official platform',
    description:
      'Signed in `x-hub-signature-256` with a secret that a Page of the app was linked with; it speaks for the Pages linked with that one. Answered once every notice is stored.',
    answer: { status: 200, description: 'Everything in it is stored', schema: received, example: { stored: 1 } },
    refusals: ['UNAUTHENTICATED', 'PAYLOAD_TOO_LARGE', 'VALIDATION', 'RATE_LIMITED', 'BUSY'],
    async handle({ params: { appId }, raw }) {
      const { bytes, secret } = await signedBody(deps, appId, raw)
      const sender = senderOf(appId, secret)
      await countLargePost(limiter, sender, bytes)
      const read = await readLeadNotices(bytes, sender)
      if (!read.ok && read.reason !== 'unreadable') throw postRefusal(read.reason, 'notices')
      if (!read.ok) {
        // our choice: the post is answered 200, because upstream would repeat a refused one for days, and it can never
        // be read.
        log.warn({ appId, bytes: bytes.length }, 'a signed webhook of Pages holds no changes that can be read')
        noticesTotal.add({ outcome: 'unreadable' })
        return { status: 200, body: { stored: 0 } }
      }
      await countNotices(limiter, sender, read.notices)
      const stored = await leadCommands.noticed(appId, secret, read.notices)
      noticesTotal.add({ outcome: 'stored' }, stored)
      noticesTotal.add({ outcome: 'ignored' }, read.notices.length - stored)
      return { status: 200, body: { stored } }
    },
  })
}

/**
 * Whom notices count for: the app and the secret that signed. Whoever else claims to be of that app, with another
 * secret, takes nothing from its limit.
 */
function senderOf(appId: string, secret: string): string {
  return `${appId}:${createHash('sha256').update(secret).digest('base64url').slice(0, 16)}`
}

/**
 * The body, and the secret of the app that it was signed with. Throws UNAUTHENTICATED when no secret of the app signed
 * it.
 */
async function signedBody(
  { leadCommands, isSigned }: LeadWebhookDeps,
  appId: string,
  raw: RawBody | null,
): Promise<{ readonly bytes: Buffer; readonly secret: string }> {
  const signature = raw?.header('x-hub-signature-256')
  const secrets = signature === undefined ? [] : await leadCommands.secretsOf(appId)
  const secret = raw ? secrets.find((one) => isSigned(one, raw.bytes, signature)) : undefined
  if (!raw || secret === undefined)
    throw new RefusalError(refuse('UNAUTHENTICATED', 'The signature does not fit the body and a secret of this app'))
  return { bytes: raw.bytes, secret }
}

/**
 * Counts notices for the app, and for each Page that has many of them. `sender` is that of `senderOf`. Throws 429
 * RATE_LIMITED.
 */
async function countNotices(limiter: RateLimiter, sender: string, notices: readonly LeadNotice[]): Promise<void> {
  if (notices.length === 0) return
  await takeOfPosts(limiter, `notices:${sender}`, APP_NOTICES_PER_MINUTE, notices.length)
  for (const [pageId, { length }] of Map.groupBy(notices, (notice) => notice.pageId)) {
    if (length > FEW_NOTICES) await takeOfPosts(limiter, `notices:${sender}:${pageId}`, PAGE_NOTICES_PER_MINUTE, length)
  }
}
