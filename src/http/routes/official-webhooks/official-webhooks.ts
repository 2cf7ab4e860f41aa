import type { Directory } from '../../../../actors/hosting/directory.ts'
import type { OfficialCommands } from '../../../commands/official/official.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { IsSigned, SplitChanges } from '../../../ports/official/changes.ts'
import type { RateLimiter } from '../../../ports/rate-limiter.ts'
import type { AcceptedChanges, InboundStore } from '../../../ports/stores/inbound-store.ts'
import { isSameText } from '../../request/same-text.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { countLargePost, postRefusal } from './post-limits.ts'
import * as schema from './schema.ts'

export interface OfficialWebhookDeps {
  readonly inbound: InboundStore
  readonly officialCommands: Pick<OfficialCommands, 'targetOf'>
  readonly isSigned: IsSigned
  readonly splitChanges: SplitChanges
  /** Wakes what works off the changes that wait for an account. */
  readonly receiveAccount: (accountId: string) => void
  readonly directory: Directory
  readonly limiter: RateLimiter
  readonly log: Log
  readonly metrics: Metrics
}

const GROUP = 'Official webhooks'
const PATH = '/webhooks/official/{id}'
/** our choice, in bytes: three times the largest post of upstream. */
const BODY_BYTES = 10_000_000
/**
 * our choice, more JSON values than other routes take: a change of upstream has 20 to 50 values, and a post has up to
 * 1,000 changes.
 */
const BODY_VALUES = 100_000

/**
 * The webhook of upstream for numbers and accounts. It needs no key, because the signature proves the sender. Unsigned
 * posts count for the address, and large posts for the account that signed them.
 */
export function officialWebhookRoutes(deps: OfficialWebhookDeps): Route[] {
  return [challenge(deps), receive(deps)]
}

function challenge({ inbound }: OfficialWebhookDeps): Route {
  return route({
    method: 'get',
    path: PATH,
    name: 'verifyOfficialWebhook',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    summary: 'Prove to the official platform that this address is ours',
    params: schema.targetParams,
    query: schema.challengeQuery,
    answer: { status: 200, description: 'The challenge', type: 'text/plain' },
    refusals: ['FORBIDDEN', 'VALIDATION'],
    async handle({ params, query }) {
      const token = query['hub.verify_token']
      // The number is read anew, because upstream verifies the webhook while the number is being connected.
      const target = query['hub.mode'] === 'subscribe' && token ? await inbound.findTarget(params.id) : null
      if (!target || !isSameText(target.verifyToken, token ?? ''))
        throw new RefusalError(refuse('FORBIDDEN', 'The verify token is not the one of this webhook'))
      return { status: 200, body: query['hub.challenge'] ?? '', type: 'text/plain; charset=utf-8' }
    },
  })
}

function receive(deps: OfficialWebhookDeps): Route {
  const { inbound, officialCommands, isSigned, splitChanges, limiter, log } = deps
  const changesTotal = deps.metrics.counter(
    'official_changes_total',
    'Changes of official webhooks, by whether they were new.',
    ['outcome'],
  )
  return route({
    method: 'post',
    path: PATH,
    name: 'receiveOfficialWebhook',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'notices',
    rawBodyBytes: BODY_BYTES,
    bodyValues: BODY_VALUES,
    summary: 'Take changes from the official platform',
    description:
      'Signed in `x-hub-signature-256` with the app secret of the number. Answered once every change is stored.',
    params: schema.targetParams,
    answer: { status: 200, description: 'Everything in it is stored', schema: schema.received, example: { stored: 1 } },
    refusals: ['UNAUTHENTICATED', 'PAYLOAD_TOO_LARGE', 'VALIDATION', 'RATE_LIMITED', 'BUSY'],
    async handle({ params, raw, client: { trace } }) {
      const signature = raw?.header('x-hub-signature-256')
      const target = signature === undefined ? null : await officialCommands.targetOf(params.id)
      const secret = target?.appSecret ?? null
      if (!raw || !target || secret === null || !isSigned(secret, raw.bytes, signature)) {
        throw new RefusalError(
          refuse('UNAUTHENTICATED', 'The signature does not fit the body and the app secret of this number'),
        )
      }
      const sender = `${target.tenantId}:${target.accountId}`
      await countLargePost(limiter, sender, raw.bytes)
      const splitting = await splitChanges(raw.bytes, sender)
      if (!splitting.ok && splitting.reason !== 'unreadable') throw postRefusal(splitting.reason, 'changes')
      if (!splitting.ok) {
        // our choice: the post is answered 200, because upstream would repeat a refused one for days, and it can never
        // be read.
        log.warn(
          { numberId: target.numberId, bytes: raw.bytes.length },
          'a signed webhook holds no changes that can be read',
        )
        changesTotal.add({ outcome: 'unreadable' })
        return { status: 200, body: { stored: 0 } }
      }
      const changes = trace ? splitting.changes.map((change) => ({ ...change, trace })) : splitting.changes
      const accepted = await inbound.accept(target, changes)
      const { stored } = accepted
      changesTotal.add({ outcome: 'stored' }, stored)
      changesTotal.add({ outcome: 'repeated' }, Math.max(0, splitting.changes.length - stored))
      tell(deps, accepted)
      return { status: 200, body: { stored } }
    },
  })
}

/** Wakes what works the changes off. A wake-up that is lost is made up for by the next look for waiting changes. */
function tell({ directory, receiveAccount, log }: OfficialWebhookDeps, { numbers, accounts }: AcceptedChanges): void {
  for (const numberId of numbers) {
    directory
      .receive(numberId)
      .catch((error: unknown) =>
        log.warn(
          { numberId, error: String(error) },
          'a number was not started to read what upstream told of it; it reads that when it next starts',
        ),
      )
  }
  for (const accountId of accounts) receiveAccount(accountId)
}
