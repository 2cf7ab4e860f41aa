import type { NumberId, TenantId } from '../../../domain/ids.ts'
import { isSubscribed } from '../../../domain/webhook.ts'
import type { Webhook } from '../../../domain/webhook.ts'
import type { WebhookDeps } from './visible.ts'

type Deps = Pick<WebhookDeps, 'numbers' | 'directory' | 'log'>

/**
 * The engine of a number is asked for status posts only while some webhook wants them (spec: message.stories is demand-driven):
 * after a change to what one webhook wants, a number with a session applies its settings again, behind the answer.
 */
export function noteStories(deps: Deps, owner: { readonly tenantId: TenantId, readonly numberId: NumberId }, before: Webhook | null, after: Webhook | null): void {
  if (wantsStories(before) === wantsStories(after)) return
  applyAgain(deps, owner.tenantId, owner.numberId)
    .catch((error: unknown) => deps.log.warn({ numberId: owner.numberId, error: String(error) }, 'the wish for stories was not passed on'))
}

function wantsStories(webhook: Webhook | null): boolean {
  return webhook !== null && webhook.active && isSubscribed(webhook.events, 'message.stories', 'UNOFFICIAL')
}

/** A number without a session, be it paired or on its way there, reads who wants what when it next connects. */
async function applyAgain({ numbers, directory, log }: Deps, tenantId: TenantId, numberId: NumberId): Promise<void> {
  const number = await numbers.find(tenantId, numberId)
  if (!number || number.provider !== 'UNOFFICIAL' || (!number.isPaired && number.state === 'CLOSE')) return
  const outcome = await directory.askNumber(numberId, 'ApplySettings', { settings: number.settings })
  if (!outcome.ok) log.info({ numberId, code: outcome.error.code }, 'the wish for stories was not applied to a session')
}
