import { DESCRIBED_EVENTS, envelopeOf } from '../openapi/event-schema.ts'
import { describedFields } from '../openapi/native-events.ts'
import { deliveryHeaders, HOW } from '../openapi/webhooks.ts'
import type { ChannelFacts, MessageFacts } from './channel.ts'
import type { JsonSchema, SchemaWriter } from './schemas.ts'

function headersOf(event: string): { readonly schema: JsonSchema; readonly example: Record<string, string> } {
  const headers = deliveryHeaders(event)
  return {
    schema: {
      type: 'object',
      required: headers.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(
        headers.map(({ name, description, schema }) => [name, { ...schema, description }]),
      ),
    },
    example: Object.fromEntries(headers.map(({ name, example }) => [name, example])),
  }
}

function delivery(event: string, summary: string, payload: JsonSchema, example: unknown): MessageFacts {
  const headers = headersOf(event)
  return { summary, headers: headers.schema, payload, examples: [{ headers: headers.example, payload: example }] }
}

/** What webhooks are sent: every event of the service, and every field that OFFICIAL numbers pass on. */
export function webhookChannel(writer: SchemaWriter): ChannelFacts {
  const own = DESCRIBED_EVENTS.map((described) => {
    const { schema, example } = envelopeOf(described)
    return [described.event, delivery(described.event, described.summary, writer.write(schema), example)] as const
  })
  const native = describedFields().map(
    ({ field, summary, schema, example }) =>
      [field, delivery(field, `${summary} (OFFICIAL numbers)`, writer.write(schema), example)] as const,
  )
  const messages = Object.fromEntries([...own, ...native])
  return {
    address: null,
    title: 'Deliveries to a webhook',
    description: `The address is the \`url\` of the webhook. ${HOW}`,
    server: 'receiver',
    messages,
    operations: {
      deliverEvent: {
        action: 'send',
        summary: 'The service posts an event to a webhook',
        messages: Object.keys(messages),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
  }
}
