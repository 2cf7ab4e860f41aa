import { newId, type TenantId } from '../../src/domain/ids.ts'
import type { LeadPerson } from '../../src/domain/lead.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { LeadNotice } from '../../src/ports/stores/lead-notice-store.ts'
import type { NewLeadPage } from '../../src/ports/stores/lead-page-store.ts'
import type { CapturedLead, LeadQuery, SettledLead, StoringFacts } from '../../src/ports/stores/lead-store.ts'
import type { NewNumber } from '../../src/ports/stores/number-store.ts'
import { newNumber, type World } from './world.ts'

let last = 0

/** Digits that no other row has, beyond 2^53. */
export function upstreamDigits(): string {
  return `9007199254740${process.pid}${++last}`
}

export interface LinkedPage {
  readonly tenantId: TenantId
  readonly number: ChannelNumber
  readonly page: NewLeadPage
}

/** A tenant with a number. */
export async function madeNumber(world: World, fields: Partial<NewNumber> = {}, tenantId?: TenantId): Promise<ChannelNumber> {
  const owner = tenantId ?? (await world.stores.tenants.create(`Tenant ${newId('ten')}`)).tenantId
  const made = await world.stores.numbers.create(newNumber(owner, fields))
  if (!made.ok) throw new Error(made.error.message)
  return made.value.number
}

export function newPage(number: ChannelNumber, fields: Partial<NewLeadPage> = {}): NewLeadPage {
  return {
    pageId: upstreamDigits(), pageName: 'Bakery', tenantId: number.tenantId, channelNumberId: number.id, appId: upstreamDigits(), webhookStatus: 'SUBSCRIBED',
    accessToken: 'EAAGpagetoken', appSecret: 'pageappsecret', ...fields,
  }
}

/** A number with a Page. */
export async function linkedPage(world: World, fields: Partial<NewNumber> = {}, page: Partial<NewLeadPage> = {}, of?: ChannelNumber): Promise<LinkedPage> {
  const number = of ?? await madeNumber(world, fields)
  const linked = newPage(number, page)
  const made = await world.stores.leadPages.create(linked)
  if (made.kind !== 'created') throw new Error(`the Page is ${made.kind}`)
  return { tenantId: number.tenantId, number, page: linked }
}

export function newNotice(page: Pick<NewLeadPage, 'pageId'>, fields: Partial<LeadNotice> = {}): LeadNotice {
  return { leadgenId: upstreamDigits(), pageId: page.pageId, formId: '77', adId: null, ...fields }
}

export const PERSON: LeadPerson = {
  fullName: 'Ada Lovelace', email: 'ada@example.com', phone: '+55 11 99999-0000',
  fields: [{ key: 'full_name', label: 'Your name', values: ['Ada Lovelace'] }, { key: 'odd', label: 'odd', values: ['\u0000 "$&" {{1}}', '🙂'] }],
}

export function captured(page: Pick<NewLeadPage, 'pageId' | 'pageName'>, fields: Partial<CapturedLead> = {}): CapturedLead {
  return {
    ...PERSON, leadgenId: upstreamDigits(), pageId: page.pageId, pageName: page.pageName, formId: '77', formName: 'Newsletter', platform: 'fb', isOrganic: true,
    adId: null, adName: null, adsetName: null, campaignName: null, source: 'webhook', createdAt: new Date('2026-01-10T11:00:00.000Z'), ...fields,
  }
}

export const SETTLED: SettledLead = { consentGiven: null, phoneDigits: '5511999990000', isRedacted: false, autoSend: { status: 'none' }, eventOf: null }

export function settle(fields: Partial<SettledLead> = {}): (facts: StoringFacts) => Promise<SettledLead> {
  return () => Promise.resolve({ ...SETTLED, ...fields })
}

export const FIRST_PAGE: LeadQuery = { page: 1, pageSize: 30, formId: null, adId: null, pageId: null, startDate: null, endDate: null }
