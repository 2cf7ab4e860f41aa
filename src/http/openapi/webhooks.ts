import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi'
import type { DescribedEvent } from './described-event.ts'
import { DESCRIBED_EVENTS, envelopeOf } from './event-schema.ts'
import type { RouteGroup } from '../request/route-groups.ts'

const GROUP: RouteGroup = 'Webhook events'

/** How every delivery is made, whether the envelope is the service's or upstream's. */
export const HOW =
  'Signed as Standard Webhooks: HMAC-SHA256 of `webhook-id.webhook-timestamp.body` with the secret of the webhook. At least once: the same `webhook-id` may come again. '
  + 'Any 2xx within 15 s is success; 410 switches the webhook off; any other answer is tried again, 12 times in all.'

function header(name: string, description: string, example: string, required = true) {
  return { name, in: 'header' as const, required, description, schema: { type: 'string' as const }, example }
}

/** [operation.traces.3] */
const TRACED = 'Place of the delivery in a trace, as W3C Trace Context has it; absent where nothing is recorded'

/** Headers of every delivery ([webhooks.delivery.2], [webhooks.delivery.5]). */
const HEADERS = [
  header('webhook-id', 'Id of the event, the same on every attempt', 'evt_01kb0000000000000000000000'),
  header('webhook-timestamp', 'Unix seconds of this attempt', '1767614400'),
  header(
    'webhook-signature',
    '`v1,` and base64; two, separated by a space, for 24 h after the secret was replaced',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** The responses that a receiver may give. */
export const RECEIVED = { '2XX': { description: 'Received; the body is logged, up to 16 KB, and has no meaning' } }

export function deliveryHeaders(event: string) {
  return [
    ...HEADERS,
    header('x-channel-event', 'Name of the event', event),
    header('x-channel-number-id', 'The number it happened on', 'num_01kb0000000000000000000000'),
    header('x-webhook-attempt', '1 for the first try', '1'),
    header('traceparent', TRACED, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false),
  ]
}

function delivery(described: DescribedEvent): ZodOpenApiOperationObject {
  const { schema, example } = envelopeOf(described)
  return {
    operationId: described.event,
    tags: [GROUP],
    summary: described.summary,
    description: HOW,
    security: [],
    parameters: deliveryHeaders(described.event),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: RECEIVED,
  }
}

/** The `webhooks` section of the document: what a receiver is sent, by event. */
export function describeEvents(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(DESCRIBED_EVENTS.map((described) => [described.event, { post: delivery(described) }]))
}
