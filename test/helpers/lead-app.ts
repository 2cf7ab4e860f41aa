import type { ExecutionContext } from 'ava'
import { randomBytes, randomInt } from 'node:crypto'
import { storeLead } from '../../src/commands/leads/capture.ts'
import type { ReadLead } from '../../src/commands/leads/capture.ts'
import { newId } from '../../src/domain/ids.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import type { Lead, LeadSource } from '../../src/domain/lead.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { UpstreamForm } from '../../src/ports/official/pages.ts'
import type { NewNumber } from '../../src/ports/stores/number-store.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores } from '../../src/storage/stores.ts'
import { serve } from './http-app.ts'
import type { Changes } from './http-nouns.ts'
import { World } from './world.ts'
import { KeptLog } from './kept-log.ts'
import type { ScriptedPage } from './scripted-pages.ts'

/** Digits above 2^53 that no other test has. */
export function upstreamDigits(): string {
  return `9${randomInt(10 ** 11, 10 ** 12)}${randomInt(10 ** 6, 10 ** 7)}`
}

export const QUESTIONS: UpstreamForm['questions'] = [
  { key: 'full_name', label: 'Full name', type: 'FULL_NAME' },
  { key: 'email', label: 'Email', type: 'EMAIL' },
  { key: 'phone_number', label: 'Phone number', type: 'PHONE' },
  { key: 'which_model', label: 'Which model?', type: 'CUSTOM' },
]

export function formOf(pageId: string, fields: Partial<UpstreamForm> = {}): UpstreamForm {
  return {
    formId: upstreamDigits(),
    formName: 'Test drive',
    pageId,
    status: 'ACTIVE',
    questions: QUESTIONS,
    checkboxes: [
      { key: 'may_message', text: 'You may send me messages', isRequired: false },
      { key: 'newsletter', text: 'News', isRequired: false },
    ],
    ...fields,
  }
}

/** Private data that no log, metric or error may contain. */
export const PRIVATE = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+55 11 99999-0000',
  model: 'Model 🚗 "$&" {{1}}',
}

function readLead(page: ScriptedPage, fields: Partial<ReadLead>): ReadLead {
  return {
    leadgenId: upstreamDigits(),
    createdAt: new Date('2026-01-01T00:00:00.000Z'),
    formId: page.forms[0]?.formId ?? '1',
    adId: null,
    adName: null,
    adsetName: null,
    campaignName: null,
    answers: [
      { key: 'full_name', values: [PRIVATE.fullName] },
      { key: 'email', values: [PRIVATE.email] },
      { key: 'phone_number', values: [PRIVATE.phone] },
      { key: 'which_model', values: [PRIVATE.model] },
    ],
    consents: null,
    isOrganic: true,
    platform: 'fb',
    ...fields,
  }
}

export interface NumberOfApp {
  readonly number: ChannelNumber
  readonly key: string
}

/** An installation has one key for all tenants. */
const cipher = new AesCipher(randomBytes(32))

/** The routes of leads over the real stores, with a tenant and a number of its own, and scripted Pages upstream. */
export async function openLeadApp(t: ExecutionContext<any>, database: Database, changes: Changes = {}) {
  const world = new World()
  const { files: _files, ...stores } = openStores({ database, cipher, clock: world.clock })
  const log = new KeptLog()
  const client = await serve(t, world, { ...stores, log, ...changes })
  const tenant = await stores.tenants.create('Acme')

  const addNumber = async (fields: Partial<NewNumber> = {}): Promise<NumberOfApp> => {
    const made = await stores.numbers.create({
      id: newId('num'),
      tenantId: tenant.tenantId,
      name: 'Front desk',
      number: `55119${randomInt(10 ** 7, 10 ** 8)}`,
      provider: 'UNOFFICIAL',
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      ...fields,
    })
    if (!made.ok) throw new Error(made.error.message)
    return { number: made.value.number, key: made.value.key.raw }
  }
  const addOfficial = async (
    app: { readonly appId?: string | null; readonly appSecret?: string | null } = {},
  ): Promise<NumberOfApp> => {
    const number = `55118${randomInt(10 ** 7, 10 ** 8)}`
    const made = await stores.official.create({
      id: newId('num'),
      tenantId: tenant.tenantId,
      name: 'Sales',
      number,
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      credentials: {
        phoneId: upstreamDigits(),
        accountId: upstreamDigits(),
        accessToken: 'EAA',
        appId: app.appId === undefined ? upstreamDigits() : app.appId,
        appSecret: app.appSecret === undefined ? 'app-secret' : app.appSecret,
      },
      verifyToken: 'verify-me',
      health: { number, qualityRating: null, messagingLimitTier: null, officialStatus: null, perSecond: null },
    })
    if (!made.ok) throw new Error(made.error.message)
    return { number: made.value.number, key: made.value.key.raw }
  }
  const own = await addNumber()
  /** Adds a Page with a form upstream that is not linked yet. */
  const addPage = (fields: Partial<ScriptedPage> = {}): ScriptedPage => {
    const page = world.pages.add(upstreamDigits(), fields)
    if (page.forms.length === 0) page.forms = [formOf(page.pageId)]
    return page
  }
  const send = (
    method: string,
    path: string,
    body?: unknown,
    options: { readonly key?: string; readonly headers?: Record<string, string> } = {},
  ) =>
    client.send(method, path, {
      key: options.key ?? tenant.key,
      ...(body === undefined ? {} : { body }),
      ...(options.headers ? { headers: options.headers } : {}),
    })
  /** Links a Page to a number over the route. */
  const link = async (
    to: NumberOfApp = own,
    fields: Partial<ScriptedPage> = {},
    appId = upstreamDigits(),
  ): Promise<ScriptedPage & { readonly appId: string }> => {
    const page = addPage(fields)
    const linked = await send('POST', '/v1/lead-pages', {
      pageId: page.pageId,
      pageAccessToken: page.tokens[0],
      channelNumberId: to.number.id,
      appId,
      appSecret: page.appSecret,
    })
    if (linked.status !== 201) throw new Error(linked.text)
    // Items of a list are told apart by their times.
    world.clock.advance(1)
    return Object.assign(page, { appId })
  }
  /** Stores a lead of a Page as the background work does. */
  const addLead = async (
    page: ScriptedPage,
    fields: Partial<ReadLead> = {},
    source: LeadSource = 'webhook',
  ): Promise<Lead> => {
    const result = await storeLead(stores.leads, {
      lead: readLead(page, fields),
      page: { pageId: page.pageId, pageName: page.pageName },
      form: page.forms[0] ?? null,
      source,
    })
    if (result.kind !== 'stored') throw new Error(`the lead is ${result.kind}`)
    return result.lead
  }
  return {
    world,
    stores,
    log,
    client,
    tenantId: tenant.tenantId as TenantId,
    tenantKey: tenant.key,
    own,
    send,
    addNumber,
    addOfficial,
    addPage,
    link,
    addLead,
  }
}

export type LeadApp = Awaited<ReturnType<typeof openLeadApp>>
