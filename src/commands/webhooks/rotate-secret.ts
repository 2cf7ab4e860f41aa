import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { makeSecret } from '../../domain/webhook-secret.ts'
import type { WebhookId } from '../../domain/webhook.ts'
import type { WebhookScope } from '../../ports/stores/webhook-store.ts'
import { findWebhook, WEBHOOK_GONE } from './find.ts'
import type { WebhookPorts } from './ports.ts'

/** Both secrets sign for so long, ms [webhooks.routes.7]. */
const BOTH_SIGN_MS = 24 * 3_600_000

export interface RotatedSecret {
  readonly id: WebhookId
  readonly secret: string
  /** Until then the secret before signs, too. */
  readonly previousUntil: Date
}

/** Replaces the signing secret of a webhook ([webhooks.routes.7]). Refusal: WEBHOOK_NOT_FOUND. */
export async function rotateSecret(
  ports: WebhookPorts,
  { scope, id }: { readonly scope: WebhookScope; readonly id: string },
): Promise<Outcome<RotatedSecret>> {
  const found = await findWebhook(ports, scope, id)
  if (!found.ok) return found
  const rotated: RotatedSecret = {
    id: found.value.id,
    secret: makeSecret(),
    previousUntil: new Date(ports.clock.now() + BOTH_SIGN_MS),
  }
  const isThere = await ports.webhooks.rotateSecret(scope, rotated.id, rotated.secret, rotated.previousUntil)
  return isThere ? succeed(rotated) : fail(WEBHOOK_GONE)
}
