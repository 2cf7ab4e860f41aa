import type { Clock } from '../../../src/ports/clock.ts'
import { AdBook } from '../ads/ad-book.ts'
import type { Fields } from '../http/fields.ts'
import type { Registry } from '../registry/registry.ts'
import type { Change } from '../webhooks/webhooks.ts'
import { LeadBook } from './lead-book.ts'
import { leadFields } from './lead-fields.ts'
import { PageBook } from './page-book.ts'
import type { PlatformLead } from './page.ts'
import { opensAll, type Opened } from './tokens.ts'

/** Pages with their forms and leads, and the ads that bring them. */
export class LeadAds {
  readonly pages = new PageBook()
  readonly ads = new AdBook()
  readonly leads: LeadBook
  readonly #registry: Registry

  constructor({
    clock,
    registry,
    send,
  }: {
    readonly clock: Clock
    readonly registry: Registry
    send(change: Change): boolean
  }) {
    this.#registry = registry
    this.leads = new LeadBook({ clock, send })
  }

  /** What a token opens, numbers included: null for an unknown one, `expired` for one that was valid once. */
  opens(token: string): Opened | 'expired' | null {
    return opensAll({ registry: this.#registry, pages: this.pages, ads: this.ads }, token)
  }

  /** A lead as read with a token: it names the ad when the token sees that too. */
  present(lead: PlatformLead, { adAccounts }: Opened, fields: string | null): Fields {
    const ad = lead.adId === null ? null : this.ads.find(lead.adId)
    return leadFields(lead, ad && adAccounts.has(ad.accountId) ? ad : null, fields)
  }

  reset(): void {
    this.pages.reset()
    this.ads.reset()
    this.leads.reset()
  }
}
