import type { Clock } from '../../src/ports/clock.ts'
import { encodeSounds, type Sounds } from '../devices/phone-opus.ts'
import { createTicker } from '../devices/phone-ticker.ts'
import { OfficialCallBook } from './calls/call-book.ts'
import type { OfficialCall } from './calls/call.ts'
import { settingsUpdate } from './calls/calling-settings.ts'
import { Permissions } from './calls/permissions.ts'
import { Library } from './library.ts'
import { Messaging } from './messages/messaging.ts'
import { Registry, TIERS, type OfficialNumber } from './registry.ts'
import type { NumberPatch } from './seeds.ts'
import { ShiftedClock } from './shifted-clock.ts'
import { UserNames } from './user-names.ts'
import { accountChange, callsChange } from './webhooks/changes.ts'
import { Webhooks } from './webhooks/webhooks.ts'

/** The simulated official platform: numbers, webhooks, permissions, calls and messages with users. */
export class OfficialPlatform {
  /** What hours and days are counted by; it can be moved forward. */
  readonly clock: ShiftedClock
  readonly registry = new Registry()
  readonly webhooks: Webhooks
  readonly permissions: Permissions
  readonly names = new UserNames()
  readonly #library: Library
  readonly messaging: Messaging
  readonly calls: OfficialCallBook

  private constructor(clock: Clock, sounds: Sounds) {
    this.clock = new ShiftedClock(clock)
    this.webhooks = new Webhooks(this.clock, this.registry)
    this.permissions = new Permissions(() => this.clock.now())
    this.#library = new Library({ clock: this.clock, registry: this.registry, send: (change) => void this.webhooks.send(change) })
    this.messaging = new Messaging({
      clock: this.clock, permissions: this.permissions, names: this.names,
      fill: ({ accountId }, message) => this.templates.fill(accountId, message),
      takeFlow: ({ accountId }, content) => this.#library.flowSends.takeMessage(accountId, content),
      send: (change) => void this.webhooks.send(change),
    })
    this.calls = new OfficialCallBook(this.permissions, {
      clock,
      names: this.names,
      platformClock: this.clock,
      ticker: createTicker(clock),
      sounds,
      post: (number, parts) => void this.webhooks.send(callsChange(number, parts)),
      answered: (call) => this.#answered(call),
      ended: (call) => this.#ended(call),
    })
  }

  static async open(clock: Clock): Promise<OfficialPlatform> {
    return new OfficialPlatform(clock, await encodeSounds())
  }

  get templates(): Library['templates'] {
    return this.#library.templates
  }

  get flows(): Library['flows'] {
    return this.#library.flows
  }

  /** Tells the account's subscriber that settings of a number changed. */
  announceSettings(number: OfficialNumber): void {
    this.webhooks.send(accountChange(number, 'account_settings_update', settingsUpdate(number, this.clock.now())))
  }

  /** Changes a number from outside, and tells what upstream would tell of it. */
  patchNumber(number: OfficialNumber, patch: NumberPatch): void {
    const { messagingLimitTier: before, qualityRating } = number
    this.registry.patch(number, patch)
    const { messagingLimitTier: after } = number
    if (after !== before) {
      this.webhooks.send(accountChange(number, 'business_capability_update', { max_daily_conversations_per_business: after }))
      const event = TIERS.indexOf(after) > TIERS.indexOf(before) ? 'UPGRADE' : 'DOWNGRADE'
      this.webhooks.send(accountChange(number, 'phone_number_quality_update', {
        display_phone_number: number.number, event, old_limit: before, current_limit: after, max_daily_conversations_per_business: after,
      }))
    } else if (number.qualityRating !== qualityRating) {
      this.webhooks.send(accountChange(number, 'phone_number_quality_update', {
        display_phone_number: number.number, event: number.qualityRating === 'RED' ? 'FLAGGED' : 'UNFLAGGED', current_limit: after,
      }))
    }
  }

  /** Forgets everything, the shift of time included. */
  reset(): void {
    this.calls.reset()
    this.messaging.reset()
    this.#library.reset()
    this.webhooks.reset()
    this.permissions.reset()
    this.names.reset()
    this.registry.reset()
    this.clock.reset()
  }

  #answered({ isByBusiness, number, user }: OfficialCall): void {
    if (isByBusiness) this.permissions.connected(number, user)
  }

  #ended({ id, isByBusiness, number, user, answeredAtMs, reason }: OfficialCall): void {
    if (!isByBusiness) {
      // With callback permission on, a user's call grants a temporary permission by itself.
      if (number.calling['callback_permission_status'] !== 'ENABLED') return
      this.messaging.users.answerPermission(number, user, { response: 'accept', isPermanent: false }, { requestId: id, isAutomatic: true })
      return
    }
    if (answeredAtMs !== null || reason === 'failed') return
    if (!this.permissions.unanswered(number, user)) return
    this.messaging.users.answerPermission(number, user, { response: 'revoke' }, { requestId: null, isAutomatic: true })
  }
}
