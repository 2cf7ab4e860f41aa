import { defineEntity, p } from '@mikro-orm/core'
import type { ConversationId, FlowId, FlowResponseId, MessageId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'

/** What was submitted: fields, or a raw text that could not be read. The two must not be guessed from the text. */
export type KeptAnswer = { readonly fields: Fields } | { readonly raw: string }

/**
 * A response to a Flow, for the number that received it. `flowId` is null while the message that it answers is not
 * known yet.
 */
export const FlowResponseEntity = defineEntity({
  name: 'FlowResponse',
  tableName: 'flow_responses',
  uniques: [{ name: 'flow_responses_message', properties: ['numberId', 'externalMessageId'] }],
  indexes: [
    { name: 'flow_responses_age', properties: ['numberId', 'submittedAt'] },
    {
      name: 'flow_responses_context',
      properties: ['contextId'],
      where: 'context_id is not null and message_id is null',
    },
    {
      name: 'flow_responses_of_flow',
      columns: [
        { name: 'flow_id' },
        { name: 'number_id' },
        { name: 'submitted_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
    },
  ],
  properties: {
    id: p.text().$type<FlowResponseId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    numberId: p.text().$type<NumberId>(),
    flowId: p.text().$type<FlowId>().nullable(),
    conversationId: p.text().$type<ConversationId>(),
    contact: p.text(),
    contactName: p.text().nullable(),
    messageId: p.text().$type<MessageId>().nullable(),
    externalMessageId: p.text(),
    contextId: p.text().nullable(),
    flowToken: p.text().nullable(),
    response: p.json<KeptAnswer>().columnType('text'),
    submittedAt: p.datetime(3),
  },
})

/** How many responses there are, by day of UTC. */
export const FlowResponseCountsEntity = defineEntity({
  name: 'FlowResponseCounts',
  tableName: 'flow_response_counts',
  properties: {
    flowId: p.text().$type<FlowId>().primary(),
    numberId: p.text().$type<NumberId>().primary(),
    day: p.date().primary(),
    responses: p.integer(),
  },
})
