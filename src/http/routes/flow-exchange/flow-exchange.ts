import { z } from 'zod'
import type { FlowEndpointCommands } from '../../../commands/flow-endpoints/flow-endpoints.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

interface FlowExchangeDeps {
  readonly flowEndpointCommands: FlowEndpointCommands
  readonly metrics: Metrics
}

/** our choice, in bytes: what a screen holds. Files come by addresses of their own. */
const BODY_BYTES = 1_000_000
/** Upstream's status that ends a Flow's token and switches its button off ([flows.data-exchange.8]). */
const STALE = 427

const exchangeParams = z.object({
  flowId: z.string().max(64).meta({ description: 'Id of a Flow', example: 'flow_01kb0000000000000000000000' }),
})

/**
 * The address where phones ask the endpoints of Flows ([flows.data-exchange.6]). It needs no key, because the signature
 * proves the sender; failures count for the address.
 */
export function flowExchangeRoutes({ flowEndpointCommands: endpoints, metrics }: FlowExchangeDeps): Route[] {
  const total = metrics.counter(
    'flow_exchanges_total',
    'Asks of phones to endpoints of Flows, by what they were answered.',
    ['outcome'],
  )
  const ask = route({
    method: 'post',
    path: '/flows/exchange/{flowId}',
    name: 'exchangeFlowData',
    group: 'Official webhooks',
    access: { by: ['nobody'], of: 'service' },
    bucket: 'exchanges',
    rawBodyBytes: BODY_BYTES,
    summary: 'Take what the phone of a Flow asks its endpoint',
    description:
      'Signed in `x-hub-signature-256` with the app secret of the account, and encrypted with the public half of its key pair. In clear it is passed on to the '
      + 'endpoint of the Flow (`npm run flows`), whose answer is encrypted. An endpoint that answers 427 has the phone told 427.',
    params: exchangeParams,
    answer: { status: 200, description: 'The answer of the endpoint, encrypted, base64', type: 'text/plain' },
    refusals: ['FLOW_ASK_UNREADABLE', 'FLOW_ASK_UNSIGNED', 'FLOW_ENDPOINT_FAILED', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
    async handle({ params, raw }) {
      const outcome = await endpoints.exchange(params.flowId, {
        bytes: raw?.bytes ?? Buffer.alloc(0),
        signature: raw?.header('x-hub-signature-256'),
      })
      total.add({ outcome: nameOf(outcome) })
      const { kind, body } = unwrap(outcome)
      return kind === 'stale'
        ? { status: STALE, body, type: 'application/json; charset=utf-8' }
        : { status: 200, body, type: 'text/plain; charset=utf-8' }
    },
  })
  return [ask]
}

function nameOf(outcome: Outcome<{ readonly kind: string }>): string {
  return outcome.ok ? outcome.value.kind : outcome.error.code
}
