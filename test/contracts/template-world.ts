import { newId, newSecretId, type FileId, type NumberId, type TenantId } from '../../src/domain/ids.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import { NEVER_APPLIED } from '../../src/domain/template-events.ts'
import type { TemplateBody } from '../../src/domain/template.ts'
import type {
  NewTemplate,
  StoredTemplate,
  TemplateOwner,
  TemplateQuery,
} from '../../src/ports/stores/template-store.ts'
import { newOfficial, officialNumber, randomId } from './official-store.ts'
import { newNumber, type World } from './world.ts'

export const EVERYTHING: TemplateQuery = {
  page: 1,
  pageSize: 100,
  name: null,
  category: null,
  language: null,
  source: null,
  officialStatus: null,
  sendable: null,
}

export function bodyOf(text: string): TemplateBody {
  return { header: { type: 'NONE' }, body: { text }, footer: null, buttons: [], carousel: null }
}

export type AccountOwner = TemplateOwner & { readonly kind: 'ACCOUNT' }

/** An account of a tenant with one number. */
export interface TestAccount {
  readonly tenantId: TenantId
  readonly accountId: string
  readonly number: ChannelNumber
  readonly owner: AccountOwner
}

/** Makes another account, or one that another tenant shares. */
export async function accountOf(
  world: World,
  tenantId: TenantId,
  accountId: string = randomId(),
): Promise<TestAccount> {
  const { number } = await officialNumber(world, newOfficial(tenantId, { accountId }))
  return { tenantId, accountId, number, owner: { kind: 'ACCOUNT', tenantId, accountId } }
}

export async function unofficialNumber(world: World, tenantId: TenantId): Promise<ChannelNumber> {
  const made = await world.stores.numbers.create(newNumber(tenantId))
  if (!made.ok) throw new Error(made.error.message)
  return made.value.number
}

export function ownerOf(number: ChannelNumber): TemplateOwner {
  return { kind: 'NUMBER', tenantId: number.tenantId, numberId: number.id }
}

let lastName = 0

/**
 * A template in the form in which a creation stores it before the upstream is asked, or one of an UNOFFICIAL number.
 */
export function newTemplate(world: World, owner: TemplateOwner, fields: Partial<NewTemplate> = {}): NewTemplate {
  const isOfficial = owner.kind === 'ACCOUNT'
  return {
    id: newId('tpl'),
    owner,
    name: `order_update_${++lastName}`,
    category: 'UTILITY',
    language: 'en_US',
    source: isOfficial ? 'OFFICIAL' : 'LOCAL',
    officialStatus: isOfficial ? 'PENDING' : null,
    officialLanguage: isOfficial ? 'en_US' : null,
    body: bodyOf('Hello {{name}}!'),
    examples: { name: 'Ada' },
    externalId: null,
    upstreamStatus: null,
    statusReason: null,
    statusDescription: null,
    quality: null,
    requestedCategory: null,
    correctCategory: null,
    unsupported: [],
    submittedAt: null,
    createdAt: new Date(world.clock.now()),
    parameters: null,
    submitted: null,
    files: { header: null, cards: [] },
    applied: NEVER_APPLIED,
    ask: null,
    askedUntil: null,
    askTries: 0,
    ...fields,
  }
}

export async function created(
  world: World,
  owner: TemplateOwner,
  fields: Partial<NewTemplate> = {},
): Promise<StoredTemplate> {
  const made = await world.stores.templates.create(newTemplate(world, owner, fields))
  if (made.kind !== 'created') throw new Error(`the template is ${made.kind}`)
  return made.template
}

/** Stores a file as a creation does, for a day. */
export async function keptFile(world: World, tenantId: TenantId, numberId: NumberId): Promise<FileId> {
  const [id, now] = [newSecretId('file'), world.clock.now()]
  const isKept = await world.stores.files.add({
    id,
    tenantId,
    numberId,
    path: id,
    mimeType: 'image/png',
    sizeBytes: 1,
    fileName: 'a.png',
    createdAt: new Date(now),
    expiresAt: new Date(now + 24 * 3_600_000),
  })
  if (!isKept) throw new Error('the number is gone')
  return id
}
