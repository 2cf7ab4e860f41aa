import type { Webhook, WebhookId } from '../../domain/webhook.ts'
import type { WebhookLogQuery, WebhookScope } from '../../ports/stores/webhook-store.ts'
import { createWebhook } from './create.ts'
import type { CreateWebhookInput } from './create.ts'
import { findWebhook } from './find.ts'
import { patchWebhook } from './patch.ts'
import type { PatchWebhookInput } from './patch.ts'
import type { WebhookPorts } from './ports.ts'
import { redeliver } from './redeliver.ts'
import type { RedeliverInput } from './redeliver.ts'
import { redeliverFailed } from './redeliver-failed.ts'
import type { RedeliverFailedInput } from './redeliver-failed.ts'
import { removeWebhook } from './remove.ts'
import { rotateSecret } from './rotate-secret.ts'

/** A webhook, as a path names it. */
interface NamedWebhook {
  readonly scope: WebhookScope
  readonly id: string
}

/** The commands of webhooks. */
export type WebhookCommands = ReturnType<typeof createWebhooks>

/** Makes the commands of webhooks. */
export function createWebhooks(ports: WebhookPorts) {
  return {
    create: (input: CreateWebhookInput) => createWebhook(ports, input),
    list: (scope: WebhookScope) => ports.webhooks.list(scope),
    find: (scope: WebhookScope, id: string) => findWebhook(ports, scope, id),
    patch: (input: PatchWebhookInput) => patchWebhook(ports, input),
    remove: (named: NamedWebhook) => removeWebhook(ports, named),
    rotateSecret: (named: NamedWebhook) => rotateSecret(ports, named),
    test: (webhook: Webhook) => ports.deliveries.test(webhook),
    logs: (scope: WebhookScope, id: WebhookId, page: WebhookLogQuery) => ports.webhooks.logs(scope, id, page),
    redeliver: (input: RedeliverInput) => redeliver(ports, input),
    redeliverFailed: (input: RedeliverFailedInput) => redeliverFailed(ports, input),
  }
}
