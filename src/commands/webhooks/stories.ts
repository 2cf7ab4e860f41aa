import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { namesOf } from '../../domain/kinds/kinds.ts'
import type { NumberSettings } from '../../domain/number.ts'
import { canEmit, isSubscribed } from '../../domain/webhook.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { Log } from '../../ports/log.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { WebhookStore } from '../../ports/stores/webhook-store.ts'

export interface StoriesDeps {
  readonly numbers: Pick<NumberStore, 'find'>
  /** Has the session of the number apply its settings again. */
  readonly askApplySettings: (
    numberId: NumberId,
    fields: { readonly settings: NumberSettings },
  ) => Promise<Outcome<null>>
  readonly log: Log
}

const STORIES = 'message.stories'
const STORY_KINDS = namesOf(({ name }) => canEmit(name, STORIES))

/** Whether some webhook of the number wants status posts now. */
export async function areStoriesWanted(
  { numbers, webhooks }: { readonly numbers: Pick<NumberStore, 'load'>; readonly webhooks: Pick<WebhookStore, 'list'> },
  numberId: NumberId,
): Promise<boolean> {
  const number = await numbers.load(numberId)
  if (!number || !canEmit(number.provider, STORIES)) return false
  const found = await webhooks.list({ tenantId: number.tenantId, numberId })
  return found.some(wantsStories)
}

/**
 * The engine of a number is asked for status posts only while some webhook wants them (spec: message.stories is
 * demand-driven): after a change to what one webhook wants, a number with a session applies its settings again, behind
 * the answer.
 */
export function noteStories(
  deps: StoriesDeps,
  owner: Pick<Webhook, 'tenantId' | 'numberId'>,
  before: Webhook | null,
  after: Webhook | null,
): void {
  if (wantsStories(before) === wantsStories(after)) return
  applyAgain(deps, owner).catch((error: unknown) =>
    deps.log.warn({ numberId: owner.numberId, error: String(error) }, 'the wish for stories was not passed on'),
  )
}

function wantsStories(webhook: Webhook | null): boolean {
  return webhook !== null && webhook.active && STORY_KINDS.some((kind) => isSubscribed(webhook.events, STORIES, kind))
}

/** A number without a session, be it paired or on its way there, reads who wants what when it next connects. */
async function applyAgain(
  { numbers, askApplySettings, log }: StoriesDeps,
  { tenantId, numberId }: Pick<Webhook, 'tenantId' | 'numberId'>,
): Promise<void> {
  const number = await numbers.find(tenantId, numberId)
  if (!number || !canEmit(number.provider, STORIES) || (!number.isPaired && number.state === 'CLOSE')) return
  const outcome = await askApplySettings(numberId, { settings: number.settings })
  if (!outcome.ok) log.info({ numberId, code: outcome.error.code }, 'the wish for stories was not applied to a session')
}
