import { z } from 'zod'
import { KeyedTurns, Turns } from '../../../src/domain/turns.ts'
import type { Clock, Timer } from '../../../src/ports/clock.ts'
import { Recent } from '../../recent.ts'
import type { Registry } from '../registry/registry.ts'
import { postSigned, toBytes } from './webhook-post.ts'

/**
 * our choice: a receiver that comes back gets its posts within seconds, later within 32 s, and the last try is an hour
 * later. Upstream goes on for days: if the sandbox gave up while a busy receiver was late, that receiver would seem to
 * have lost what it never got.
 */
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 32_000
const MAX_ATTEMPTS = 120
/**
 * our choice: most posts under way at once, to all callbacks. A receiver that gets thousands at once answers none of
 * them in time.
 */
const MAX_POSTS = 64
/** our choice: how long changes are held to be batched or reordered, ms, unless `delayMs` is longer. */
const HOLD_MS = 200
/** Upstream's limit of changes in one body. */
const MAX_BATCH = 1_000
/** our choice: most deliveries that are remembered, the latest ones. */
const MAX_KEPT = 2_000
/** Fields whose bodies come without a time. */
const UNTIMED: ReadonlySet<string> = new Set(['messages', 'calls'])

/** Body of `POST /control/official/webhooks`. */
export const webhookOptionsSchema = z.object({
  /** Posts each body this many times more. */
  duplicate: z.int().min(0).max(100).default(0),
  /** Holds changes and posts them newest first. */
  reorder: z.boolean().default(false),
  /** Holds changes and posts them in one body. */
  batch: z.boolean().default(false),
  /** Starts each post without waiting for the one before it. */
  parallel: z.boolean().default(false),
  delayMs: z.int().min(0).max(3_600_000).default(0),
})
export type WebhookOptions = z.infer<typeof webhookOptionsSchema>

export interface Change {
  /** Absent for a change of an account. */
  readonly object?: 'page'
  /** Id of the account, or of the Page. */
  readonly accountId: string
  /** Null for changes of an account. */
  readonly phoneId: string | null
  readonly field: string
  readonly value: unknown
}

interface Target {
  readonly url: string
  readonly secret: string
}

interface Addressed extends Target {
  readonly change: Change
  readonly atMs: number
}

/** The facts of Pages that webhooks need: the Page's app, and the fields that it is subscribed to, or null. */
export interface SubscribedPages {
  find(id: string): { readonly appId: string; readonly subscribedFields: ReadonlySet<string> | null } | null
}

/** One body on its way to one callback. */
export interface Delivery {
  readonly id: number
  readonly url: string
  readonly fields: readonly string[]
  readonly attempts: { readonly atMs: number; readonly status: number | null }[]
  state: 'WAITING' | 'DELIVERED' | 'GIVEN_UP'
}

const ACCOUNT = 'whatsapp_business_account'

/** A body of changes of one kind of object. */
function toBody(changes: readonly Addressed[]): object {
  const accounts = Map.groupBy(changes, ({ change }) => change.accountId)
  return {
    object: changes[0]?.change.object ?? ACCOUNT,
    entry: [...accounts].map(([id, own]) => {
      const [first] = own
      const isTimed = own.some(({ change }) => !UNTIMED.has(change.field))
      return {
        id,
        ...(isTimed && first ? { time: Math.floor(first.atMs / 1_000) } : {}),
        changes: own.map(({ change: { field, value } }) => ({ field, value })),
      }
    }),
  }
}

/** Posts changes to the callbacks subscribed to them: signed, at least once, retried until 200. */
export class Webhooks {
  readonly #clock: Clock
  readonly #registry: Registry
  readonly #pages: SubscribedPages
  #options: WebhookOptions = webhookOptionsSchema.parse({})
  #held: Addressed[] = []
  #holding: Timer | null = null
  /** Turns by callback: first attempts go one after another. */
  #firsts = new KeyedTurns()
  readonly #posts = new Turns(MAX_POSTS)
  readonly #deliveries = new Recent<Delivery>(MAX_KEPT)
  #lastId = 0
  /** Counts resets, so that what was on its way before one goes no further. */
  #epoch = 0

  constructor(clock: Clock, registry: Registry, pages: SubscribedPages) {
    this.#clock = clock
    this.#registry = registry
    this.#pages = pages
  }

  get options(): WebhookOptions {
    return this.#options
  }

  /** Sets how changes are sent from now on. Held changes are sent first. */
  configure(options: WebhookOptions): void {
    this.#flush()
    this.#options = options
  }

  deliveries(): readonly Delivery[] {
    return this.#deliveries.list()
  }

  /** Sends a change; false when nobody is subscribed to it. */
  send(change: Change): boolean {
    const target = this.#targetOf(change)
    if (!target) return false
    const addressed = { ...target, change, atMs: this.#clock.now() }
    const { reorder, batch, delayMs } = this.#options
    if (reorder || batch) {
      this.#held.push(addressed)
      this.#holding ??= this.#clock.after(Math.max(HOLD_MS, delayMs), () => this.#flush())
    } else if (delayMs > 0) this.#clock.after(delayMs, () => this.#post([addressed]))
    else this.#post([addressed])
    return true
  }

  reset(): void {
    this.#epoch++
    this.#holding?.cancel()
    this.#holding = null
    this.#held = []
    this.#firsts = new KeyedTurns()
    this.#deliveries.clear()
    this.#options = webhookOptionsSchema.parse({})
  }

  #targetOf(change: Change): Target | null {
    return change.object === 'page' ? this.#targetOfPage(change) : this.#targetOfAccount(change)
  }

  /** The app must be subscribed to the field, both in general and for this Page. */
  #targetOfPage({ accountId, field }: Change): Target | null {
    const page = this.#pages.find(accountId)
    const app = this.#registry.appById(page?.appId ?? '')
    if (!page?.subscribedFields?.has(field) || !app?.pageWebhook?.fields.has(field)) return null
    return { url: app.pageWebhook.callbackUrl, secret: app.secret }
  }

  /** The number's callback comes before the account's, and that before the app's. */
  #targetOfAccount({ accountId, phoneId, field }: Change): Target | null {
    const account = this.#registry.account(accountId)
    if (!account?.subscription) return null
    const app = this.#registry.app(account)
    const number = phoneId === null ? null : this.#registry.number(phoneId)
    const url = number?.webhookUrl ?? account.subscription.overrideUrl ?? app.callbackUrl
    return url !== null && app.fields.has(field) ? { url, secret: app.secret } : null
  }

  #flush(): void {
    this.#holding?.cancel()
    this.#holding = null
    const held = this.#held
    this.#held = []
    if (this.#options.reorder) held.reverse()
    if (!this.#options.batch) return held.forEach((addressed) => this.#post([addressed]))
    for (const together of Map.groupBy(
      held,
      ({ url, secret, change }) => `${url} ${secret} ${change.object ?? ACCOUNT}`,
    ).values()) {
      for (let from = 0; from < together.length; from += MAX_BATCH) this.#post(together.slice(from, from + MAX_BATCH))
    }
  }

  #post(changes: readonly Addressed[]): void {
    const [first] = changes
    if (!first) return
    const body = toBytes(toBody(changes))
    const fields = changes.map(({ change }) => change.field)
    for (let copy = 0; copy <= this.#options.duplicate; copy++) {
      const delivery: Delivery = { id: ++this.#lastId, url: first.url, fields, attempts: [], state: 'WAITING' }
      this.#deliveries.add(delivery)
      const epoch = this.#epoch
      const attempt = async (): Promise<void> => await this.#attempt(delivery, first, body, epoch)
      void (this.#options.parallel ? attempt() : this.#firsts.run(first.url, attempt))
    }
  }

  async #attempt(delivery: Delivery, target: Target, body: Buffer, epoch: number): Promise<void> {
    const attempted = await this.#posts.run(async () => {
      if (epoch !== this.#epoch) return null
      const atMs = this.#clock.now()
      return { atMs, status: await postSigned(target.url, target.secret, body).catch(() => null) }
    })
    if (!attempted) return
    const { status } = attempted
    delivery.attempts.push(attempted)
    if (status === 200) delivery.state = 'DELIVERED'
    else if (delivery.attempts.length >= MAX_ATTEMPTS) delivery.state = 'GIVEN_UP'
    else if (epoch === this.#epoch) {
      const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (delivery.attempts.length - 1), LONGEST_RETRY_MS)
      this.#clock.after(waitMs, () => void this.#attempt(delivery, target, body, epoch))
    }
  }
}
