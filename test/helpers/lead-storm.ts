import { setTimeout as pause } from 'node:timers/promises'
import { answeringPage, submitWish, YES } from './answered-leads.ts'
import { changePage, startBackfill, type LinkedPage } from './lead-service.ts'
import { newPeer, type Kind } from './message-service.ts'
import { connectOfficial } from './official-service.ts'
import type { Service } from './service.ts'
import { taken } from './template-service.ts'
import { until } from './until.ts'

const DAY_MS = 24 * 3_600_000
/** The share of leads without a notice, which only the import brings. */
const SILENT = 0.2
const CONSENT = 0.7
const TOLD_AT_MOST = 5

/** A tenant of its own, as the route of tenants returns it. */
export interface Party {
  readonly tenantKey: string
  readonly page: LinkedPage
}

/** A lead that the upstream was told to create. */
export interface SubmittedLead {
  readonly leadgenId: string
  readonly peer: string
  readonly isSilent: boolean
  readonly party: Party
}

/** Links a Page with auto-answers to a number of the tenant. */
export async function prepareParty(service: Service, tenantKey: string, kind: Kind, at: number): Promise<Party> {
  const number =
    kind === 'OFFICIAL' ? await connectOfficial(service, {}, tenantKey) : await service.pairNumber(undefined, tenantKey)
  return { tenantKey, page: await answeringPage(service, number, `ledger_${at}`, {}, tenantKey) }
}

/** Makes reads of leads fail in several ways, each for a share of them: about 30 of 100 together. */
export async function failReads(service: Service): Promise<void> {
  const always = { times: 1_000_000 }
  const faults = [
    { rate: 0.1, status: 503 },
    { rate: 0.08, drop: 'after' },
    { rate: 0.06, error: '4' },
    { rate: 0.05, error: '80005' },
    { rate: 0.03, body: 'no json' },
    { rate: 0.01, answerDelayMs: 11_000 },
  ]
  for (const op of ['lead.read', 'leads.list', 'form.read']) {
    for (const fault of faults)
      taken(await service.control('POST', '/faults', { match: { op }, ...always, ...fault }), 201)
  }
}

/** People who submit the forms of all Pages in turn through all faults; each lead gets one to five notices. */
export class LeadStorm {
  readonly submitted: SubmittedLead[] = []
  readonly #service: Service
  readonly #parties: readonly Party[]
  readonly #random: () => number
  #next = 0
  #mayBe = 0

  constructor(service: Service, parties: readonly Party[], random: () => number) {
    this.#service = service
    this.#parties = parties
    this.#random = random
  }

  /** Raises the number of leads that the storm may make in all. */
  allow(count: number): void {
    this.#mayBe = Math.max(this.#mayBe, count)
  }

  async untilSubmitted(count: number): Promise<void> {
    await until(`${count} leads were submitted`, () => this.submitted.length >= count)
  }

  async run(total: number, people: number): Promise<void> {
    await Promise.all(Array.from({ length: people }, () => this.#person(total)))
  }

  async #person(total: number): Promise<void> {
    while (this.#next < total) {
      if (this.#next >= this.#mayBe) await pause(20)
      else await this.#submit(this.#next++)
    }
  }

  async #submit(at: number): Promise<void> {
    const party = this.#parties[at % this.#parties.length]
    if (!party) throw new Error('there is nobody to submit to')
    const peer = newPeer()
    const isSilent = this.#random() < SILENT
    const consent = this.#random() < CONSENT ? YES : {}
    const createdAt = isSilent ? { createdAt: new Date(Date.now() - DAY_MS * (1 + this.#random())).toISOString() } : {}
    const leadgenId = await submitWish(this.#service, party.page, peer, { ...consent, ...createdAt, isSilent })
    this.submitted.push({ leadgenId, peer, isSilent, party })
    if (isSilent) return
    const more = Math.floor(this.#random() * TOLD_AT_MOST)
    await Promise.all(
      Array.from({ length: more }, () => this.#service.control('POST', `/official/leads/${leadgenId}/notice`)),
    )
  }
}

/** Lets the upstream reject the Page's token for a while, and has the tenant give another. */
export async function replaceToken(service: Service, { page, tenantKey }: Party): Promise<void> {
  const path = `/v1/lead-pages/${page.pageId}`
  await changePage(service, page, { isTokenExpired: true })
  await until(
    'the token is known to be dead',
    async () => (await service.api('GET', path, tenantKey).catch(() => null))?.body.isTokenValid === false,
  )
  const pageAccessToken = `${page.pageAccessToken}anew`
  await changePage(service, page, { isTokenExpired: false, accessToken: pageAccessToken })
  await until(
    'another token is taken',
    async () => (await service.api('PATCH', path, tenantKey, { pageAccessToken }).catch(() => null))?.status === 200,
  )
}

/** Imports each form until one import has succeeded: one that the upstream refused for good is requested again. */
export async function importAll(service: Service, parties: readonly Party[]): Promise<void> {
  await Promise.all(
    parties.map(async ({ page, tenantKey }) => {
      const path = `/v1/lead-pages/${page.pageId}/forms/${page.formId}/backfill`
      await until(`the leads of form ${page.formId} are imported`, async () => {
        const newest = await service.api('GET', path, tenantKey).catch(() => null)
        if (newest?.body?.status === 'DONE') return true
        if (newest?.status === 404 || newest?.body?.status === 'FAILED')
          await startBackfill(service, page, undefined, tenantKey).catch(() => {})
        return false
      })
    }),
  )
}
