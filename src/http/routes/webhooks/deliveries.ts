import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { DeliveryLogId, Webhook } from '../../../domain/webhook.ts'
import { unwrap } from '../../outcome.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { makeSecret } from '../../../domain/webhook-secret.ts'
import { findWebhook, GROUP, gone, scopeOf } from './visible.ts'
import type { WebhookDeps } from './visible.ts'

/** contract 5: both secrets sign for 24 h. */
const BOTH_SIGN_MS = 24 * 3_600_000

/** What a webhook is sent, and how it is signed (contract 5). */
export function deliveryRoutes(deps: WebhookDeps): Route[] {
  return [sendTest(deps), rotateSecret(deps), listLogs(deps), redeliver(deps)]
}

function sendTest(deps: WebhookDeps): Route {
  return route({
    method: 'post', path: '/v1/webhooks/{id}/test', name: 'testWebhook', group: GROUP, access: 'either', isIdempotent: true,
    summary: 'Send the event webhook.test now', description: 'Whatever the webhook subscribes to. One attempt, logged, never retried; a receiver that fails is a FAILED attempt, not an error.',
    params: schema.webhookParams,
    answer: { status: 200, description: 'The attempt', schema: schema.logItem },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const webhook = await findWebhook(deps, scopeOf(caller, narrowedTo), params.id)
      return { status: 200, body: present.presentLog(await deps.deliveries.test(webhook)) }
    },
  })
}

function rotateSecret(deps: WebhookDeps): Route {
  return route({
    method: 'post', path: '/v1/webhooks/{id}/secret', name: 'rotateWebhookSecret', group: GROUP, access: 'either', isIdempotent: true,
    summary: 'Replace the signing secret', description: 'The secret before it signs too for 24 h: deliveries carry both signatures. One before that signs no more.',
    params: schema.webhookParams,
    answer: { status: 200, description: 'The new secret, for the only time', schema: schema.rotatedSecret },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const scope = scopeOf(caller, narrowedTo)
      const { id } = await findWebhook(deps, scope, params.id)
      const secret = makeSecret()
      const previousUntil = new Date(deps.clock.now() + BOTH_SIGN_MS)
      if (!await deps.webhooks.rotateSecret(scope, id, secret, previousUntil)) gone()
      return { status: 200, body: { id, secret, previousSecretExpiresAt: previousUntil.toISOString() } }
    },
  })
}

function listLogs(deps: WebhookDeps): Route {
  return route({
    method: 'get', path: '/v1/webhooks/{id}/logs', name: 'listWebhookLogs', group: GROUP, access: 'either',
    summary: 'List the attempts of a webhook, newest first', description: 'Attempts are kept for 30 days.',
    params: schema.webhookParams, query: schema.logQuery, queryCodes: { event: 'INVALID_EVENT' },
    answer: { status: 200, description: 'The attempts', schema: schema.logs },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params, query }) {
      const scope = scopeOf(caller, narrowedTo)
      const { id } = await findWebhook(deps, scope, params.id)
      const page = { limit: query.limit ?? schema.DEFAULT_LOGS, event: query.event ?? null }
      const logs = await deps.webhooks.logs(scope, id, page) ?? gone()
      return { status: 200, body: { webhookId: id, logs: logs.map(present.presentLog) } }
    },
  })
}

function redeliver(deps: WebhookDeps): Route {
  return route({
    method: 'post', path: '/v1/webhooks/{id}/logs/{logId}/redeliver', name: 'redeliverWebhookLog', group: GROUP, access: 'either', isIdempotent: true,
    summary: 'Deliver the event of a log item again', description: 'With a fresh schedule and the same `webhook-id`. The webhook must be active.',
    params: schema.logParams,
    answer: { status: 202, description: 'It is queued', schema: schema.redelivery },
    refusals: ['WEBHOOK_NOT_FOUND', 'NOT_FOUND', 'WEBHOOK_INACTIVE'],
    async handle({ caller, narrowedTo, params }) {
      const scope = scopeOf(caller, narrowedTo)
      const webhook = await findWebhook(deps, scope, params.id)
      const logId = /^log_[0-9a-z]{26}$/.test(params.logId) ? params.logId as DeliveryLogId : null
      const eventId = logId && await deps.webhooks.loggedEvent(scope, webhook.id, logId)
      if (logId === null || !eventId) throw new RefusalError(refuse('NOT_FOUND', 'No such log item'))
      requireActive(webhook)
      unwrap(await deps.deliveries.redeliver(webhook, eventId))
      return { status: 202, body: { webhookId: webhook.id, logId, eventId, status: 'QUEUED' } }
    },
  })
}

/** Our choice: a webhook that gets nothing is refused, because 202 would promise a delivery that never comes. */
function requireActive(webhook: Webhook): void {
  if (!webhook.active) throw new RefusalError(refuse('WEBHOOK_INACTIVE', 'The webhook is switched off: set active to true first'))
}
