import type { HttpDeps } from '../../deps.ts'
import { findNumber } from '../../middlewares/number-known.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { presentStatus, presentSubscription } from './present.ts'
import * as schema from './schema.ts'

/** What a key may know of itself: its number's connection, its tenant's plan (contract 3). */
export function statusRoutes(deps: Pick<HttpDeps, 'numbers'>): Route[] {
  const status = route({
    method: 'get', path: '/v1/status', name: 'getStatus', group: 'Status', access: 'number',
    summary: "Read the connection of the key's number",
    answer: { status: 200, description: 'The connection', schema: schema.status },
    refusals: ['NUMBER_NOT_FOUND'],
    handle: async ({ caller, number }) => ({ status: 200, body: presentStatus(await findNumber(deps.numbers, caller, number.id)) }),
  })
  const subscription = route({
    method: 'get', path: '/v1/subscription', name: 'getSubscription', group: 'Status', access: 'tenant',
    summary: 'Read the plan of the tenant and how much of it is used',
    answer: { status: 200, description: 'The plan', schema: schema.subscription },
    handle: async ({ caller }) => ({ status: 200, body: presentSubscription(await deps.numbers.usage(caller.tenantId)) }),
  })
  return [status, subscription]
}
