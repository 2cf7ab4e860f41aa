import type { Clock } from '../../../src/ports/clock.ts'
import { encodeSounds, type Sounds } from '../../devices/phone-opus.ts'
import { createTicker } from '../../devices/phone-ticker.ts'
import { OfficialCallBook } from '../calls/call-book.ts'
import type { OfficialCall } from '../calls/call.ts'
import { Permissions } from '../calls/permissions.ts'
import { LeadAds } from '../leads/lead-ads.ts'
import { Messaging } from '../messages/messaging.ts'
import { Registry } from '../registry/registry.ts'
import { UserNames } from '../registry/user-names.ts'
import { callsChange } from '../webhooks/changes.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { Library } from './library.ts'
import { NumberChanges } from './number-changes.ts'
import { ShiftedClock } from './shifted-clock.ts'

/**
 * The simulated official platform: numbers, webhooks, permissions, calls and messages with users; Pages with their
 * leads, and ads.
 */
export class OfficialPlatform {
  /** The time that hours and days are counted by; it can be moved forward. */
  readonly clock: ShiftedClock
  readonly registry = new Registry()
  readonly leadAds: LeadAds
  readonly webhooks: Webhooks
  readonly numberChanges: NumberChanges
  readonly permissions: Permissions
  readonly names = new UserNames()
  readonly #library: Library
  readonly messaging: Messaging
  readonly calls: OfficialCallBook

  private constructor(clock: Clock, sounds: Sounds) {
    this.clock = new ShiftedClock(clock)
    this.leadAds = new LeadAds({
      clock: this.clock,
      registry: this.registry,
      send: (change) => this.webhooks.send(change),
    })
    this.webhooks = new Webhooks(this.clock, this.registry, this.leadAds.pages)
    this.numberChanges = new NumberChanges({ clock: this.clock, registry: this.registry, webhooks: this.webhooks })
    this.permissions = new Permissions(() => this.clock.now())
    this.#library = new Library({
      clock: this.clock,
      registry: this.registry,
      send: (change) => void this.webhooks.send(change),
    })
    this.messaging = new Messaging({
      clock: this.clock,
      permissions: this.permissions,
      names: this.names,
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

  /** Forgets everything, including the shift of time. */
  reset(): void {
    this.calls.reset()
    this.messaging.reset()
    this.#library.reset()
    this.webhooks.reset()
    this.permissions.reset()
    this.names.reset()
    this.registry.reset()
    this.leadAds.reset()
    this.clock.reset()
  }

  #answered({ isByBusiness, number, user }: OfficialCall): void {
    if (isByBusiness) this.permissions.connected(number, user)
  }

  #ended({ id, isByBusiness, number, user, answeredAtMs, reason }: OfficialCall): void {
    if (!isByBusiness) {
      // With callback permission on, a user's call grants a temporary permission by itself.
      if (number.calling['callback_permission_status'] !== 'ENABLED') return
      this.messaging.users.answerPermission(
        number,
        user,
        { response: 'accept', isPermanent: false },
        { requestId: id, isAutomatic: true },
      )
      return
    }
    if (answeredAtMs !== null || reason === 'failed') return
    if (!this.permissions.unanswered(number, user)) return
    this.messaging.users.answerPermission(number, user, { response: 'revoke' }, { requestId: null, isAutomatic: true })
  }
}
