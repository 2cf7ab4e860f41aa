import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { NumberSettings } from '../../domain/number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { Deliveries, WebhookStore } from '../../ports/stores/webhook-store.ts'
import type { UrlCheck } from '../../ports/url-check.ts'

/** The ports of webhooks; each command takes all of them. */
export interface WebhookPorts {
  readonly webhooks: WebhookStore
  readonly deliveries: Deliveries
  readonly numbers: NumberStore
  /** Decides whether a webhook may point to an address, when the webhook is stored ([webhooks.object.4]). */
  readonly checkUrl: UrlCheck
  /** Makes the number's session apply its settings again. */
  readonly askApplySettings: (
    numberId: NumberId,
    fields: { readonly settings: NumberSettings },
  ) => Promise<Outcome<null>>
  readonly clock: Clock
  readonly log: Log
}
