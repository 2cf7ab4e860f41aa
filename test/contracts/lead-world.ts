import { newId, type LeadId, type NumberId, type TenantId } from '../../src/domain/ids.ts'
import type { Lead, LeadPerson } from '../../src/domain/lead.ts'
import type { LeadNotice } from '../../src/ports/stores/lead-notice-store.ts'
import type { NewLeadPage } from '../../src/ports/stores/lead-page-store.ts'
import type { CapturedLead, LeadQuery, SettledLead, StoringFacts } from '../../src/ports/stores/lead-store.ts'
import type { NewNumber } from '../../src/ports/stores/number-store.ts'
import { newNumber, type Owned, type World } from './world.ts'

export const NOON = Date.UTC(2026, 0, 10, 12)
export const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000] as const

let last = 0

/** Digits above 2^53 that no other row has. */
export function upstreamDigits(): string {
  return `9007199254740${process.pid}${++last}`
}

/** A number with a Page. */
export interface Linked extends Owned {
  readonly page: NewLeadPage
}

/** Makes a number owned by one node, by default of a tenant of its own. */
export async function madeNumber(world: World, fields: Partial<NewNumber> = {}, tenantId?: TenantId): Promise<Owned> {
  const owner = tenantId ?? (await world.stores.tenants.create(`Tenant ${newId('ten')}`)).tenantId
  const made = await world.stores.numbers.create(newNumber(owner, fields))
  if (!made.ok) throw new Error(made.error.message)
  const fence = await world.leases().acquire(made.value.number.id)
  if (!fence) throw new Error('the new number could not be leased')
  return { tenantId: owner, number: made.value.number, key: made.value.key, fence }
}

export function newPage({ number }: Pick<Owned, 'number'>, fields: Partial<NewLeadPage> = {}): NewLeadPage {
  return {
    pageId: upstreamDigits(),
    pageName: 'Bakery',
    tenantId: number.tenantId,
    channelNumberId: number.id,
    appId: upstreamDigits(),
    webhookStatus: 'SUBSCRIBED',
    accessToken: 'EAAGpagetoken',
    appSecret: 'pageappsecret',
    ...fields,
  }
}

/** Links a Page to a given number, or to a new one. */
export async function linked(world: World, page: Partial<NewLeadPage> = {}, of?: Owned): Promise<Linked> {
  const owned = of ?? (await madeNumber(world))
  const made = await world.stores.leadPages.create(newPage(owned, page))
  if (made.kind !== 'created') throw new Error(`the Page is ${made.kind}`)
  return { ...owned, page: { ...newPage(owned, page), ...made.page } }
}

export function newNotice(page: Pick<NewLeadPage, 'pageId'>, fields: Partial<LeadNotice> = {}): LeadNotice {
  return { leadgenId: upstreamDigits(), pageId: page.pageId, formId: '77', adId: null, ...fields }
}

export const PERSON: LeadPerson = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+55 11 99999-0000',
  fields: [
    { key: 'full_name', label: 'Your name', values: ['Ada Lovelace'] },
    { key: 'odd', label: 'odd', values: ['\u0000 "$&" {{1}}', '🙂'] },
  ],
}

/** Texts that would show the person above in stored data. */
export const TRACES = ['Lovelace', 'ada@example', '99999-0000']

export function captured(
  page: Pick<NewLeadPage, 'pageId' | 'pageName'>,
  fields: Partial<CapturedLead> = {},
): CapturedLead {
  return {
    ...PERSON,
    leadgenId: upstreamDigits(),
    pageId: page.pageId,
    pageName: page.pageName,
    formId: '77',
    formName: 'Newsletter',
    platform: 'fb',
    isOrganic: true,
    adId: null,
    adName: null,
    adsetName: null,
    campaignName: null,
    source: 'webhook',
    createdAt: new Date(NOON - HOUR_MS),
    ...fields,
  }
}

const SETTLED: SettledLead = {
  consentGiven: null,
  phoneDigits: '5511999990000',
  isRedacted: false,
  autoSend: { status: 'none' },
  eventOf: null,
}

export function settle(fields: Partial<SettledLead> = {}): (facts: StoringFacts) => Promise<SettledLead> {
  return () => Promise.resolve({ ...SETTLED, ...fields })
}

/** An event that contains the whole person. */
export function told(): Pick<SettledLead, 'eventOf'> {
  return { eventOf: (lead) => ({ event: 'lead.received', data: { id: lead.id, ...PERSON } }) }
}

/** The answer to a lead that waits to be sent. */
export const PENDING: SettledLead['autoSend'] = {
  status: 'pending',
  order: { templateId: newId('tpl'), to: '5511999990000', variables: { 1: 'Ada Lovelace' } },
}

export async function stored(world: World, lead: CapturedLead, fields: Partial<SettledLead> = {}): Promise<Lead> {
  const result = await world.stores.leads.store(lead, settle(fields))
  if (result.kind !== 'stored') throw new Error(`the lead is ${result.kind}`)
  return result.lead
}

export const FIRST_PAGE: LeadQuery = {
  page: 1,
  pageSize: 30,
  formId: null,
  adId: null,
  pageId: null,
  startDate: null,
  endDate: null,
}

/** Rows of a table with a value in a column. */
export async function rowsOf(
  world: World,
  table: string,
  column: string,
  value: string,
): Promise<Record<string, unknown>[]> {
  return (JSON.parse(await world.rawTable(table)) as Record<string, unknown>[]).filter((row) => row[column] === value)
}

export async function leadRow(world: World, id: LeadId): Promise<Record<string, unknown>> {
  const [row] = await rowsOf(world, 'leads', 'id', id)
  if (!row) throw new Error('the lead is gone')
  return row
}

/** The counts of a number, by scope. */
export async function countsOf(world: World, numberId: NumberId): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { scope, leads } of (await rowsOf(world, 'lead_counts', 'number_id', numberId)) as unknown as {
    scope: string
    leads: number
  }[])
    sums[scope] = (sums[scope] ?? 0) + leads
  return sums
}
