import type { NumberId } from '../../domain/ids.ts'
import { namesOf } from '../../domain/kinds/kinds.ts'
import { canEmit, isSubscribed } from '../../domain/webhook.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { WebhookPorts } from './ports.ts'

const STORIES = 'message.stories'
const STORY_KINDS = namesOf(({ name }) => canEmit(name, STORIES))

/** Whether some webhook of the number wants status posts now. */
export async function areStoriesWanted(
  { numbers, webhooks }: Pick<WebhookPorts, 'numbers' | 'webhooks'>,
  numberId: NumberId,
): Promise<boolean> {
  const number = await numbers.load(numberId)
  if (!number || !canEmit(number.provider, STORIES)) return false
  const found = await webhooks.list({ tenantId: number.tenantId, numberId })
  return found.some(wantsStories)
}

/**
 * The engine of a number is asked for status posts only while some webhook wants them ([events.subscription.6]). When
 * what a webhook wants changes, a number with a session applies its settings again, after the answer.
 */
export function noteStories(
  ports: WebhookPorts,
  owner: Pick<Webhook, 'tenantId' | 'numberId'>,
  before: Webhook | null,
  after: Webhook | null,
): void {
  if (wantsStories(before) === wantsStories(after)) return
  applyAgain(ports, owner).catch((error: unknown) =>
    ports.log.warn(
      { numberId: owner.numberId, error: String(error) },
      'a number was not told whether its webhooks want status posts; it learns it when it next starts',
    ),
  )
}

function wantsStories(webhook: Webhook | null): boolean {
  return webhook !== null && webhook.active && STORY_KINDS.some((kind) => isSubscribed(webhook.events, STORIES, kind))
}

/**
 * Has the number's session apply its settings again. A number without a session, paired or being paired, reads what its
 * webhooks want when it next connects.
 */
async function applyAgain(
  { numbers, askApplySettings, log }: WebhookPorts,
  { tenantId, numberId }: Pick<Webhook, 'tenantId' | 'numberId'>,
): Promise<void> {
  const number = await numbers.find(tenantId, numberId)
  if (!number || !canEmit(number.provider, STORIES) || (!number.isPaired && number.state === 'CLOSE')) return
  const outcome = await askApplySettings(numberId, { settings: number.settings })
  if (!outcome.ok)
    log.info(
      { numberId, code: outcome.error.code },
      'a device session did not take over whether status posts are wanted; it does when it next opens',
    )
}
