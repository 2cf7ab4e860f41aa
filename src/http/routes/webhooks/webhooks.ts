import { MAX_WEBHOOKS } from '../../../commands/webhooks/create.ts'
import type { WebhookCommands } from '../../../commands/webhooks/webhooks.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { deliveryRoutes } from './deliveries.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { GROUP, scopeOf } from './visible.ts'

/** What the routes of webhooks use. */
interface WebhookDeps {
  readonly webhookCommands: WebhookCommands
}

/** Webhooks of one number, or of all numbers of the tenant ([webhooks.object.1], [webhooks.routes.1]). */
export function webhookRoutes({ webhookCommands: webhooks }: WebhookDeps): Route[] {
  return [
    create(webhooks),
    list(webhooks),
    read(webhooks),
    patch(webhooks),
    remove(webhooks),
    ...deliveryRoutes(webhooks),
  ]
}

function create(webhooks: WebhookCommands): Route {
  return route({
    method: 'post',
    path: '/v1/webhooks',
    name: 'createWebhook',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'chosenNumber' },
    permission: 'webhooks:manage',
    isIdempotent: true,
    summary: 'Create a webhook for a number',
    description: `A number key creates it for its number; a tenant key names the number. At most ${MAX_WEBHOOKS} a number.`,
    body: schema.createInput,
    bodyExamples: example.CREATE,
    answer: {
      status: 201,
      description: 'The webhook, and its secret for the only time',
      schema: schema.createdWebhook,
      example: example.CREATED,
    },
    refusals: ['INVALID_EVENT', 'WEBHOOK_URL_FORBIDDEN', 'WEBHOOK_LIMIT_EXCEEDED'],
    async handle({ number, body: { name = null, url, events, secret = null } }) {
      const created = unwrap(await webhooks.create({ number, name, url, events: events ?? [], secret }))
      return { status: 201, body: present.presentCreated(created.webhook, created.secret) }
    },
  })
}

function list(webhooks: WebhookCommands): Route {
  return route({
    method: 'get',
    path: '/v1/webhooks',
    name: 'listWebhooks',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:read',
    summary: 'List webhooks',
    description:
      'Those of the number of the key, or of all numbers of the tenant; with `x-channel-number-id` those of that one.',
    answer: { status: 200, description: 'The webhooks', schema: schema.webhook.array(), example: [example.WEBHOOK] },
    async handle({ caller, narrowedTo }) {
      const visible = await webhooks.list(scopeOf(caller, narrowedTo))
      return { status: 200, body: visible.map(present.presentWebhook) }
    },
  })
}

function read(webhooks: WebhookCommands): Route {
  return route({
    method: 'get',
    path: '/v1/webhooks/{id}',
    name: 'getWebhook',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:read',
    summary: 'Read a webhook',
    params: schema.webhookParams,
    answer: {
      status: 200,
      description: 'The webhook',
      schema: schema.webhook,
      examples: { Active: example.WEBHOOK, 'Switched off by the service': example.SWITCHED_OFF },
    },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      return {
        status: 200,
        body: present.presentWebhook(unwrap(await webhooks.find(scopeOf(caller, narrowedTo), params.id))),
      }
    },
  })
}

function patch(webhooks: WebhookCommands): Route {
  return route({
    method: 'patch',
    path: '/v1/webhooks/{id}',
    name: 'updateWebhook',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:manage',
    summary: 'Change a webhook',
    description: '`events` replaces the list. `active: true` switches on a webhook that the service disabled.',
    params: schema.webhookParams,
    body: schema.patchInput,
    bodyExamples: example.CHANGE,
    answer: { status: 200, description: 'The webhook as it is now', schema: schema.webhook, example: example.CHANGED },
    refusals: ['WEBHOOK_NOT_FOUND', 'INVALID_EVENT', 'WEBHOOK_URL_FORBIDDEN'],
    async handle({ caller, narrowedTo, params, body }) {
      const changed = unwrap(await webhooks.patch({ scope: scopeOf(caller, narrowedTo), id: params.id, changes: body }))
      return { status: 200, body: present.presentWebhook(changed) }
    },
  })
}

function remove(webhooks: WebhookCommands): Route {
  return route({
    method: 'delete',
    path: '/v1/webhooks/{id}',
    name: 'deleteWebhook',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:manage',
    summary: 'Remove a webhook',
    description: 'Nothing more is delivered, queued retries included.',
    params: schema.webhookParams,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedWebhook, example: example.DELETED },
    refusals: ['WEBHOOK_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const id = unwrap(await webhooks.remove({ scope: scopeOf(caller, narrowedTo), id: params.id }))
      return { status: 200, body: { deleted: true, id } }
    },
  })
}
