import { createHash, timingSafeEqual } from 'node:crypto'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import { mayRaiseTier } from '../../../domain/official.ts'
import type { OfficialChange } from '../../../ports/official-platform.ts'
import type { InboundTarget } from '../../../ports/stores/inbound-store.ts'
import type { HttpDeps } from '../../deps.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import * as schema from './schema.ts'
import { rememberTargets } from './target-cache.ts'

type Deps = Pick<HttpDeps, 'official' | 'directory' | 'clock' | 'log' | 'metrics'>
type FindTarget = (id: string) => Promise<InboundTarget | null>

const GROUP = 'Official webhooks'
const PATH = '/webhooks/official/{id}'
/** Our choice: three times what upstream sends at most. */
const BODY_BYTES = 10_000_000

/** Where the official platform delivers: no key, the signature proves the sender; no rate limit, upstream has its own. */
export function officialWebhookRoutes(deps: Deps): Route[] {
  const find = rememberTargets(deps.official.inbound, deps.clock)
  return [challenge(deps), receive(deps, find)]
}

function challenge({ official }: Deps): Route {
  return route({
    method: 'get', path: PATH, name: 'verifyOfficialWebhook', group: GROUP, access: 'open',
    summary: 'Prove to the official platform that this address is ours',
    params: schema.targetParams, query: schema.challengeQuery,
    answer: { status: 200, description: 'The challenge', type: 'text/plain' },
    refusals: ['FORBIDDEN', 'VALIDATION'],
    async handle({ params, query }) {
      const token = query['hub.verify_token']
      // Not remembered: a number is verified while it is being connected.
      const target = query['hub.mode'] === 'subscribe' && token ? await official.inbound.findTarget(params.id) : null
      if (!target || !isSame(target.verifyToken, token ?? '')) throw new RefusalError(refuse('FORBIDDEN', 'The verify token does not fit'))
      return { status: 200, body: query['hub.challenge'] ?? '', type: 'text/plain; charset=utf-8' }
    },
  })
}

function receive(deps: Deps, find: FindTarget): Route {
  const { official, log } = deps
  const changesTotal = deps.metrics.counter('official_changes_total', 'Changes of official webhooks, by whether they were new.', ['outcome'])
  return route({
    method: 'post', path: PATH, name: 'receiveOfficialWebhook', group: GROUP, access: 'open', rawBodyBytes: BODY_BYTES,
    summary: 'Take changes from the official platform',
    description: 'Signed in `x-hub-signature-256` with the app secret of the number. Answered once every change is stored.',
    params: schema.targetParams,
    answer: { status: 200, description: 'Everything in it is stored', schema: schema.received },
    refusals: ['UNAUTHENTICATED', 'PAYLOAD_TOO_LARGE', 'VALIDATION'],
    async handle({ params, raw }) {
      const signature = raw?.header('x-hub-signature-256')
      const target = signature === undefined ? null : await find(params.id)
      const secret = target?.appSecret ?? null
      if (!raw || !target || secret === null || !official.isSigned(secret, raw.bytes, signature)) {
        throw new RefusalError(refuse('UNAUTHENTICATED', 'The signature does not fit the body and the app secret of this number'))
      }
      const splitting = official.split(raw.bytes)
      if (!splitting.ok) {
        // Our choice: refusing it would have upstream repeat for days what can never be read.
        log.warn({ numberId: target.numberId, bytes: raw.bytes.length }, 'a signed webhook holds no changes that can be read')
        changesTotal.add({ outcome: 'unreadable' })
        return { status: 200, body: { stored: 0 } }
      }
      const { stored, numbers } = await official.inbound.accept(target, splitting.changes)
      changesTotal.add({ outcome: 'stored' }, stored)
      changesTotal.add({ outcome: 'repeated' }, Math.max(0, splitting.changes.length - stored))
      if (stored > 0) tell(deps, target, splitting.changes, numbers)
      return { status: 200, body: { stored } }
    },
  })
}

/** Wakes who works the changes off. What gets lost here is found by the next look for waiting changes. */
function tell({ directory, official, log }: Deps, target: InboundTarget, changes: readonly OfficialChange[], numbers: readonly NumberId[]): void {
  for (const numberId of numbers) {
    directory.receive(numberId).catch((error: unknown) => log.warn({ numberId, error: String(error) }, 'a number was not woken for its changes'))
  }
  const raised = new Set(changes.filter(({ field }) => mayRaiseTier(field)).map(({ accountId }) => accountId ?? target.accountId))
  for (const accountId of raised) official.upkeep.hasten(target.tenantId, accountId)
}

/** Takes the same time wherever a wrong one differs. */
function isSame(known: string, given: string): boolean {
  return timingSafeEqual(createHash('sha256').update(known).digest(), createHash('sha256').update(given).digest())
}
