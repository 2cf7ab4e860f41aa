import { MOST_REDELIVERED } from '../../../commands/webhooks/redeliver-failed.ts'
import { WEBHOOK_GONE } from '../../../commands/webhooks/find.ts'
import type { WebhookCommands } from '../../../commands/webhooks/webhooks.ts'
import { refuse, RefusalError } from '../../../domain/errors.ts'
import type { DeliveryLogId } from '../../../domain/webhook.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { dateIn } from '../date-range.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { GROUP, scopeOf } from './visible.ts'

const NO_SUCH_ITEM = refuse(
  'NOT_FOUND',
  'No log item of this webhook has the id in `before`; leave it out to start anew',
)

/**
 * Deliveries of a webhook: its test, its secret, its logs and redelivery ([webhooks.routes.6] to [webhooks.routes.9],
 * [webhooks.routes.14]).
 */
export function deliveryRoutes(webhooks: WebhookCommands): Route[] {
  return [
    sendTest(webhooks),
    replaceSecret(webhooks),
    listLogs(webhooks),
    deliverAgain(webhooks),
    deliverFailedAgain(webhooks),
  ]
}

function sendTest(webhooks: WebhookCommands): Route {
  return route({
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    name: 'testWebhook',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:manage',
    isIdempotent: true,
    summary: 'Send the event webhook.test now',
    description:
      'Whatever the webhook subscribes to. One attempt, logged, never retried; a receiver that fails is a FAILED attempt, not an error.',
    params: schema.webhookParams,
    answer: { status: 200, description: 'The attempt', schema: schema.logItem, examples: example.TESTED },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const webhook = unwrap(await webhooks.find(scopeOf(caller, narrowedTo), params.id))
      return { status: 200, body: present.presentLog(await webhooks.test(webhook)) }
    },
  })
}

function replaceSecret(webhooks: WebhookCommands): Route {
  return route({
    method: 'post',
    path: '/v1/webhooks/{id}/secret',
    name: 'rotateWebhookSecret',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:manage',
    isIdempotent: true,
    summary: 'Replace the signing secret',
    description:
      'The secret before it signs too for 24 h: deliveries carry both signatures. One before that signs no more.',
    params: schema.webhookParams,
    answer: {
      status: 200,
      description: 'The new secret, for the only time',
      schema: schema.rotatedSecret,
      example: example.ROTATED,
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const { id, secret, previousUntil } = unwrap(
        await webhooks.rotateSecret({ scope: scopeOf(caller, narrowedTo), id: params.id }),
      )
      return { status: 200, body: { id, secret, previousSecretExpiresAt: previousUntil.toISOString() } }
    },
  })
}

function listLogs(webhooks: WebhookCommands): Route {
  return route({
    method: 'get',
    path: '/v1/webhooks/{id}/logs',
    name: 'listWebhookLogs',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:read',
    summary: 'List the attempts of a webhook, newest first',
    description: 'Attempts are kept for 30 days. Pass the last id of a page as `before` to go on.',
    params: schema.webhookParams,
    query: schema.logQuery,
    queryCodes: { event: 'INVALID_EVENT' },
    answer: { status: 200, description: 'The attempts', schema: schema.logs, example: example.LOGS },
    refusals: ['WEBHOOK_NOT_FOUND', 'NOT_FOUND'],
    async handle({ caller, narrowedTo, params, query }) {
      const scope = scopeOf(caller, narrowedTo)
      const { id } = unwrap(await webhooks.find(scope, params.id))
      const before = (query.before ?? null) as DeliveryLogId | null
      const page = {
        limit: query.limit ?? schema.DEFAULT_LOGS,
        event: query.event ?? null,
        status: query.status ?? null,
        before,
      }
      const logs = await webhooks.logs(scope, id, page)
      if (!logs) throw new RefusalError(before === null ? WEBHOOK_GONE : NO_SUCH_ITEM)
      return { status: 200, body: { webhookId: id, logs: logs.map(present.presentLog) } }
    },
  })
}

function deliverAgain(webhooks: WebhookCommands): Route {
  return route({
    method: 'post',
    path: '/v1/webhooks/{id}/logs/{logId}/redeliver',
    name: 'redeliverWebhookLog',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:manage',
    isIdempotent: true,
    summary: 'Deliver the event of a log item again',
    description: 'With a fresh schedule and the same `webhook-id`. The webhook must be active.',
    params: schema.logParams,
    answer: { status: 202, description: 'It is queued', schema: schema.redelivery, example: example.REDELIVERY },
    refusals: ['WEBHOOK_NOT_FOUND', 'NOT_FOUND', 'WEBHOOK_INACTIVE'],
    async handle({ caller, narrowedTo, params }) {
      const queued = unwrap(
        await webhooks.redeliver({ scope: scopeOf(caller, narrowedTo), id: params.id, logId: params.logId }),
      )
      return { status: 202, body: { ...queued, status: 'QUEUED' } }
    },
  })
}

function deliverFailedAgain(webhooks: WebhookCommands): Route {
  return route({
    method: 'post',
    path: '/v1/webhooks/{id}/redeliver',
    name: 'redeliverFailed',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:manage',
    isIdempotent: true,
    summary: 'Deliver again what failed',
    description: `Each event once whose last attempt in the range failed, those of the oldest attempts first and at most ${MOST_REDELIVERED}: ask again for the rest. With a fresh schedule and the same \`webhook-id\`. The webhook must be active.`,
    params: schema.webhookParams,
    body: schema.redeliverInput,
    bodyExamples: example.REDELIVER_FAILED,
    answer: {
      status: 202,
      description: 'They are queued',
      schema: schema.redelivered,
      example: example.REDELIVERED_FAILED,
    },
    refusals: ['WEBHOOK_NOT_FOUND', 'INVALID_DATE_RANGE', 'WEBHOOK_INACTIVE'],
    async handle({ caller, narrowedTo, params, body }) {
      const since = dateIn('since', body.since, 'T00:00:00.000Z') ?? new Date(0)
      const until = dateIn('until', body.until, 'T23:59:59.999Z')
      const input = { scope: scopeOf(caller, narrowedTo), id: params.id, since, until }
      return { status: 202, body: { queued: unwrap(await webhooks.redeliverFailed(input)) } }
    },
  })
}
