import { z } from 'zod'
import { KeyedTurns, Turns } from '../../../src/domain/turns.ts'
import type { Clock, Timer } from '../../../src/ports/clock.ts'
import { Recent } from '../../recent.ts'
import type { Registry } from '../registry/registry.ts'
import { postSigned, toBytes } from './webhook-post.ts'

/**
 * our choice: a receiver that comes back shows within seconds, later within 32 s, and the last try is an hour on.
 * Upstream goes on for days: one that gave up while a busy receiver was late would make it look as if that had lost
 * what it never got.
 */
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 32_000
const MAX_ATTEMPTS = 120
/**
 * our choice: posts under way at once, to all callbacks. A receiver that has thousands at once answers none of them in
 * its time.
 */
const MAX_POSTS = 64
/** our choice: how long changes are held to be put together or out of order, unless `delayMs` says more. */
const HOLD_MS = 200
/** Changes in one body, as upstream at most. */
const MAX_BATCH = 1_000
/** our choice: the latest deliveries are remembered. */
const MAX_KEPT = 2_000
/** Bodies with these fields come without a time. */
const UNTIMED: ReadonlySet<string> = new Set(['messages', 'calls'])

/** Body of `POST /control/official/webhooks`. */
export const webhookOptionsSchema = z.object({
  /** Posts each body this many times more. */
  duplicate: z.int().min(0).max(100).default(0),
  /** Holds changes and posts them newest first. */
  reorder: z.boolean().default(false),
  /** Holds changes and posts them in one body. */
  batch: z.boolean().default(false),
  /** Starts each post without waiting for the one before. */
  parallel: z.boolean().default(false),
  delayMs: z.int().min(0).max(3_600_000).default(0),
})
export type WebhookOptions = z.infer<typeof webhookOptionsSchema>

export interface Change {
  /** Default: of an account of numbers. */
  readonly object?: 'page'
  /** Of the account, or of the Page. */
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

/** What is asked of Pages: of which app one is, and which of its fields that app hears of; null: of none. */
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

/** All of one object. */
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
  /** By callback: first attempts go one after another. */
  #firsts = new KeyedTurns()
  readonly #posts = new Turns(MAX_POSTS)
  readonly #deliveries = new Recent<Delivery>(MAX_KEPT)
  #lastId = 0
  /** Counts resets: what was on its way before one goes no further. */
  #epoch = 0

  constructor(clock: Clock, registry: Registry, pages: SubscribedPages) {
    this.#clock = clock
    this.#registry = registry
    this.#pages = pages
  }

  get options(): WebhookOptions {
    return this.#options
  }

  /** Changes from now on go out like this. What is held goes out first. */
  configure(options: WebhookOptions): void {
    this.#flush()
    this.#options = options
  }

  deliveries(): readonly Delivery[] {
    return this.#deliveries.list()
  }

  /** Answers false when nobody is subscribed to the change. */
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

  /** The app has to hear of the field of all Pages, and of this one. */
  #targetOfPage({ accountId, field }: Change): Target | null {
    const page = this.#pages.find(accountId)
    const app = this.#registry.appById(page?.appId ?? '')
    if (!page?.subscribedFields?.has(field) || !app?.pageWebhook?.fields.has(field)) return null
    return { url: app.pageWebhook.callbackUrl, secret: app.secret }
  }

  /** Precedence: number, then account, then app. */
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
