import type { ChannelNumber } from '../../../domain/number.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { SAMPLE } from '../samples.ts'
import * as schema from './schema.ts'

export interface StatusDeps {
  readonly numbers: NumberStore
}

/**
 * What a key may know of itself: the connection of its number ([numbers.routes.9]) and the plan of its tenant
 * ([numbers.routes.10]).
 */
export function statusRoutes(deps: StatusDeps): Route[] {
  const status = route({
    method: 'get',
    path: '/v1/status',
    name: 'getStatus',
    group: 'Status',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'numbers:read',
    summary: "Read the connection of the key's number",
    answer: {
      status: 200,
      description: 'The connection',
      schema: schema.status,
      example: { numberId: SAMPLE.numberId, provider: SAMPLE.provider, state: 'OPEN', isFullyConnected: true },
    },
    refusals: ['NUMBER_NOT_FOUND'],
    handle: async ({ caller, number }) => ({
      status: 200,
      body: presentStatus(await findNumber(deps.numbers, caller, number.id)),
    }),
  })
  const subscription = route({
    method: 'get',
    path: '/v1/subscription',
    name: 'getSubscription',
    group: 'Status',
    access: { by: ['key', 'session'], of: 'tenant' },
    permission: 'account:manage',
    summary: 'Read the plan of the tenant and how much of it is used',
    answer: {
      status: 200,
      description: 'The plan',
      schema: schema.subscription,
      example: { plan: 'self-hosted', maxNumbers: null, usedNumbers: 2 },
    },
    handle: async ({ caller }) => ({
      status: 200,
      body: presentSubscription(await deps.numbers.usage(caller.tenantId)),
    }),
  })
  return [status, subscription]
}

/** The connection of the key's own number ([numbers.routes.9]). */
function presentStatus(number: ChannelNumber) {
  return {
    numberId: number.id,
    provider: number.provider,
    state: number.state,
    isFullyConnected: number.isFullyConnected,
  }
}

function presentSubscription(usage: {
  readonly plan: string
  readonly maxNumbers: number | null
  readonly usedNumbers: number
}) {
  return { plan: usage.plan, maxNumbers: usage.maxNumbers, usedNumbers: usage.usedNumbers }
}
