import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { ProviderKind } from '../../../domain/number.ts'
import type { Webhook } from '../../../domain/webhook.ts'
import type { WebhookPatch } from '../../../ports/stores/webhook-store.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { deliveryRoutes } from './deliveries.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { makeSecret } from '../../../domain/webhook-secret.ts'
import { noteStories } from './stories.ts'
import { requireUsableUrl, subscription } from './subscription.ts'
import { findWebhook, GROUP, gone, scopeOf } from './visible.ts'
import type { WebhookDeps } from './visible.ts'

/** Our choice: every event of a number is matched against all of its webhooks. */
const MAX_WEBHOOKS = 20
const CREATE_EXAMPLE = { url: 'https://example.com/hooks', name: 'CRM', events: ['*'] }

/** Webhooks of one number, or of all numbers of the tenant (contract 5). */
export function webhookRoutes(deps: WebhookDeps): Route[] {
  return [create(deps), list(deps), read(deps), patch(deps), remove(deps), ...deliveryRoutes(deps)]
}

function create(deps: WebhookDeps): Route {
  return route({
    method: 'post', path: '/v1/webhooks', name: 'createWebhook', group: GROUP, access: 'eitherNumber', isIdempotent: true,
    summary: 'Create a webhook for a number',
    description: `A number key creates it for its number; a tenant key names the number. At most ${MAX_WEBHOOKS} a number.`,
    body: schema.createInput, bodyExample: CREATE_EXAMPLE,
    answer: { status: 201, description: 'The webhook, and its secret for the only time', schema: schema.createdWebhook },
    refusals: ['INVALID_EVENT', 'WEBHOOK_URL_FORBIDDEN', 'WEBHOOK_LIMIT_EXCEEDED'],
    async handle({ caller, number, body }) {
      const events = subscription(body.events ?? [], number.provider)
      await requireUsableUrl(deps.checkUrl, body.url)
      const scope = { tenantId: caller.tenantId, numberId: number.id }
      const existing = await deps.webhooks.list(scope)
      if (existing.length >= MAX_WEBHOOKS) throw new RefusalError(refuse('WEBHOOK_LIMIT_EXCEEDED', `The number has ${MAX_WEBHOOKS} webhooks, which is the most`))
      const secret = body.secret ?? makeSecret()
      const webhook = await deps.webhooks.create({ ...scope, name: body.name ?? null, url: body.url, events, secret })
      noteStories(deps, webhook, null, webhook)
      return { status: 201, body: present.presentCreated(webhook, secret) }
    },
  })
}

function list(deps: WebhookDeps): Route {
  return route({
    method: 'get', path: '/v1/webhooks', name: 'listWebhooks', group: GROUP, access: 'either',
    summary: 'List webhooks', description: 'Those of the number of the key, or of all numbers of the tenant; with `x-channel-number-id` those of that one.',
    answer: { status: 200, description: 'The webhooks', schema: schema.webhook.array() },
    async handle({ caller, narrowedTo }) {
      const webhooks = await deps.webhooks.list(scopeOf(caller, narrowedTo))
      return { status: 200, body: webhooks.map(present.presentWebhook) }
    },
  })
}

function read(deps: WebhookDeps): Route {
  return route({
    method: 'get', path: '/v1/webhooks/{id}', name: 'getWebhook', group: GROUP, access: 'either',
    summary: 'Read a webhook', params: schema.webhookParams,
    answer: { status: 200, description: 'The webhook', schema: schema.webhook },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      return { status: 200, body: present.presentWebhook(await findWebhook(deps, scopeOf(caller, narrowedTo), params.id)) }
    },
  })
}

function patch(deps: WebhookDeps): Route {
  return route({
    method: 'patch', path: '/v1/webhooks/{id}', name: 'updateWebhook', group: GROUP, access: 'either',
    summary: 'Change a webhook', description: '`events` replaces the list. `active: true` switches on a webhook that the service disabled.',
    params: schema.webhookParams, body: schema.patchInput, bodyExample: { events: ['call.ringing', 'call.ended'], active: true },
    answer: { status: 200, description: 'The webhook as it is now', schema: schema.webhook },
    refusals: ['WEBHOOK_NOT_FOUND', 'INVALID_EVENT', 'WEBHOOK_URL_FORBIDDEN'],
    async handle({ caller, narrowedTo, params, body }) {
      const scope = scopeOf(caller, narrowedTo)
      const webhook = await findWebhook(deps, scope, params.id)
      const events = body.events && subscription(body.events, await kindOf(deps, webhook))
      if (body.url !== undefined) await requireUsableUrl(deps.checkUrl, body.url)
      const change: WebhookPatch = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.url === undefined ? {} : { url: body.url }),
        ...(body.active === undefined ? {} : { active: body.active }),
        ...(events ? { events } : {}),
      }
      const changed = Object.keys(change).length === 0 ? webhook : await deps.webhooks.patch(scope, webhook.id, change)
      if (changed) noteStories(deps, webhook, webhook, changed)
      return { status: 200, body: present.presentWebhook(changed ?? gone()) }
    },
  })
}

function remove(deps: WebhookDeps): Route {
  return route({
    method: 'delete', path: '/v1/webhooks/{id}', name: 'deleteWebhook', group: GROUP, access: 'either',
    summary: 'Remove a webhook', description: 'Nothing more is delivered, queued retries included.', params: schema.webhookParams,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedWebhook },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const scope = scopeOf(caller, narrowedTo)
      const webhook = await findWebhook(deps, scope, params.id)
      if (!await deps.webhooks.remove(scope, webhook.id)) gone()
      noteStories(deps, webhook, webhook, null)
      return { status: 200, body: { deleted: true, id: webhook.id } }
    },
  })
}

/** What kind of number the webhook belongs to. A number that is gone took its webhooks along. */
async function kindOf(deps: WebhookDeps, webhook: Webhook): Promise<ProviderKind> {
  const number = await deps.numbers.find(webhook.tenantId, webhook.numberId)
  return number ? number.provider : gone()
}
