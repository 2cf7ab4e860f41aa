import type { Directory } from '../../actors/hosting/directory.ts'
import { createWebhooks } from '../commands/webhooks/webhooks.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { OpenDeliveries } from './open-deliveries.ts'

interface WebhookNeeds extends Pick<OpenDeliveries, 'deliveries' | 'checkUrl'> {
  readonly stores: Stores
  readonly directory: Directory
}

/** Opens the commands on webhooks. */
export function openWebhooks({ clock, log }: Core, { stores, deliveries, checkUrl, directory }: WebhookNeeds) {
  const webhookCommands = createWebhooks({
    ...stores,
    deliveries,
    checkUrl,
    clock,
    log,
    askApplySettings: (numberId, fields) => directory.tellNumber(numberId, 'ApplySettings', fields),
  })
  return { webhookCommands }
}
