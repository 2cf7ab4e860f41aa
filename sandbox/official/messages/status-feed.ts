import { z } from 'zod'
import type { Clock, Timer } from '../../../src/ports/clock.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { UserNames } from '../registry/user-names.ts'
import { messagesChange } from '../webhooks/changes.ts'
import type { Change } from '../webhooks/webhooks.ts'

/** our choice: how long statuses are held to be reordered or batched, ms, unless `delayMs` is longer. */
const HOLD_MS = 200
/** our choice: most statuses in one change. */
const MAX_BATCH = 100

/** Body of `POST /control/official/statuses` and of the same route below a number. */
export const statusOptionsSchema = z.object({
  order: z.enum(['normal', 'reversed', 'shuffled']).default('normal'),
  /** Posts each status this many times more. */
  duplicate: z.int().min(0).max(100).default(0),
  delayMs: z.int().min(0).max(3_600_000).default(0),
  /** Puts several statuses of a number into one change. */
  batch: z.boolean().default(false),
  /** How the user is shown with a status: not at all, by number, or with a profile. */
  contact: z.enum(['none', 'bare', 'profile']).default('bare'),
})
export type StatusOptions = z.infer<typeof statusOptionsSchema>

/** One status in the form of `statuses`. */
export interface StatusItem {
  readonly status: string
  readonly [field: string]: unknown
}

/** A status with its user. */
interface Told {
  readonly user: string
  readonly item: StatusItem
}

interface Held {
  readonly number: OfficialNumber
  readonly items: Told[]
  readonly options: StatusOptions
  readonly timer: Timer
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Tells statuses of messages by webhook: one by one as they happen, or in the worst order that upstream may use. */
export class StatusFeed {
  readonly #clock: Clock
  readonly #names: UserNames
  readonly #send: (change: Change) => void
  #general: StatusOptions = statusOptionsSchema.parse({})
  readonly #ofNumbers = new Map<string, StatusOptions>()
  /** Held statuses by phone id. */
  readonly #held = new Map<string, Held>()

  constructor(clock: Clock, names: UserNames, send: (change: Change) => void) {
    this.#clock = clock
    this.#names = names
    this.#send = send
  }

  /** Sets how statuses are sent from now on, for one number, or for all that have no options of their own. */
  configure(options: StatusOptions, number: OfficialNumber | null): void {
    if (number) this.#ofNumbers.set(number.phoneId, options)
    else this.#general = options
  }

  /** Tells a status; `user` is digits. */
  tell(number: OfficialNumber, user: string, item: StatusItem): void {
    const told = { user, item }
    const options = this.#ofNumbers.get(number.phoneId) ?? this.#general
    const { order, delayMs, batch } = options
    if (order !== 'normal' || batch) this.#hold(number, told, options)
    else if (delayMs > 0) this.#clock.after(delayMs, () => this.#post(number, [told], options))
    else this.#post(number, [told], options)
  }

  reset(): void {
    for (const { timer } of this.#held.values()) timer.cancel()
    this.#held.clear()
    this.#ofNumbers.clear()
    this.#general = statusOptionsSchema.parse({})
  }

  #hold(number: OfficialNumber, told: Told, options: StatusOptions): void {
    const { phoneId } = number
    const held = this.#held.get(phoneId)
    if (held) return void held.items.push(told)
    const timer = this.#clock.after(Math.max(HOLD_MS, options.delayMs), () => this.#flush(phoneId))
    this.#held.set(phoneId, { number, items: [told], options, timer })
  }

  #flush(phoneId: string): void {
    const held = this.#held.get(phoneId)
    this.#held.delete(phoneId)
    if (!held) return
    const { number, items, options } = held
    const ordered = { normal: () => items, reversed: () => items.toReversed(), shuffled: () => shuffle(items) }[
      options.order
    ]()
    const size = options.batch ? MAX_BATCH : 1
    for (let from = 0; from < ordered.length; from += size)
      this.#post(number, ordered.slice(from, from + size), options)
  }

  #post(number: OfficialNumber, items: readonly Told[], { duplicate, contact }: StatusOptions): void {
    const users = new Set(items.filter(({ item }) => item.status !== 'failed').map(({ user }) => user))
    const contacts =
      contact === 'none'
        ? []
        : [...users].map((user) => this.#names.contactOf(user, contact === 'profile' ? undefined : null))
    const change = messagesChange(number, {
      ...(contacts.length === 0 ? {} : { contacts }),
      statuses: items.map(({ item }) => item),
    })
    for (let copy = 0; copy <= duplicate; copy++) this.#send(change)
  }
}
