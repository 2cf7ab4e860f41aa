import type { Clock } from '../../../src/ports/clock.ts'
import { settingsUpdate } from '../calls/calling-settings.ts'
import type { OfficialNumber, Registry } from '../registry/registry.ts'
import { peopleOf } from '../registry/tiers.ts'
import type { NumberPatch } from '../registry/seeds.ts'
import { accountChange } from '../webhooks/changes.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

interface NumberChangesParts {
  readonly clock: Clock
  readonly registry: Registry
  readonly webhooks: Webhooks
}

/** Changes of numbers, and the webhooks that tell the account's subscriber of them. */
export class NumberChanges {
  readonly #parts: NumberChangesParts

  constructor(parts: NumberChangesParts) {
    this.#parts = parts
  }

  /** Tells that settings of a number changed. */
  announceSettings(number: OfficialNumber): void {
    this.#send(number, 'account_settings_update', settingsUpdate(number, this.#parts.clock.now()))
  }

  /** Changes a number from outside, and tells what upstream would tell of it. */
  patch(number: OfficialNumber, patch: NumberPatch): void {
    const { messagingLimitTier: before, qualityRating } = number
    this.#parts.registry.patch(number, patch)
    const { messagingLimitTier: after } = number
    if (after !== before) {
      this.#send(number, 'business_capability_update', { max_daily_conversations_per_business: after })
      const event = peopleOf(after) > peopleOf(before) ? 'UPGRADE' : 'DOWNGRADE'
      this.#send(number, 'phone_number_quality_update', {
        display_phone_number: number.number,
        event,
        old_limit: before,
        current_limit: after,
        max_daily_conversations_per_business: after,
      })
    } else if (number.qualityRating !== qualityRating) {
      this.#send(number, 'phone_number_quality_update', {
        display_phone_number: number.number,
        event: number.qualityRating === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
        current_limit: after,
      })
    }
  }

  #send(number: OfficialNumber, field: string, value: object): void {
    this.#parts.webhooks.send(accountChange(number, field, value))
  }
}
