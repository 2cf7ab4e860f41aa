import { randomBytes, randomInt } from 'node:crypto'
import type { GivenTemplate } from '../../src/commands/templates/draft.ts'
import { createTemplates } from '../../src/commands/templates/templates.ts'
import { newId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { OfficialCredentials } from '../../src/ports/official/credentials.ts'
import type { OfficialNumber } from '../../src/ports/official/number.ts'
import type { StoredTemplate } from '../../src/ports/stores/template-store.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openStores } from '../../src/storage/stores.ts'
import { FakeClock } from './fake-clock.ts'
import { ScriptedTemplateFiles } from './scripted-templates.ts'
import { silentLog } from './silent.ts'
import { TemplatePlatform } from './template-platform.ts'
import { HOSTS } from './template-subject.ts'

/** The cipher of all worlds of a file, because chores work on the rows of all of them. */
const CIPHER = new AesCipher(randomBytes(32))
const PLATFORMS = new Map<string, TemplatePlatform>()

/** A tenant with a number of each kind, over the real store, with the platform behind the OFFICIAL one. */
export async function openTemplateWorld(database: Database, { appId = '77' as string | null } = {}) {
  const clock = new FakeClock()
  const stores = openStores({ database, cipher: CIPHER, clock })
  const platform = new TemplatePlatform()
  const templateFiles = new ScriptedTemplateFiles()
  const accountId = String(randomInt(10 ** 11, 10 ** 12))
  PLATFORMS.set(accountId, platform)
  const officialOf = (credentials: OfficialCredentials) =>
    ({ templates: PLATFORMS.get(credentials.accountId) }) as unknown as OfficialNumber
  const ports = {
    ...stores,
    templateFiles,
    officialOf,
    marksStored: async () => {},
    cardHosts: HOSTS,
    clock,
    log: silentLog,
  }
  const join = (name: string) => joinAccount(ports, name, accountId, appId)
  const official = await join('Acme')
  const local = await stores.numbers.create({
    id: newId('num'),
    tenantId: official.tenantId,
    name: 'Desk',
    number: randomDigits(),
    provider: 'UNOFFICIAL',
    settings: DEFAULT_SETTINGS,
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
  })
  if (!local.ok) throw new Error(local.error.message)
  return {
    stores,
    platform,
    clock,
    ports,
    templates: createTemplates(ports),
    templateFiles,
    accountId,
    official,
    local: local.value.number,
    join,
  }
}

export type TemplateWorld = Awaited<ReturnType<typeof openTemplateWorld>>

function randomDigits(): string {
  return `49${randomInt(10 ** 9, 10 ** 10)}`
}

/** Adds a number of the account in a tenant of its own. */
async function joinAccount(
  { tenants, official }: Pick<ReturnType<typeof openStores>, 'tenants' | 'official'>,
  name: string,
  accountId: string,
  appId: string | null,
): Promise<ChannelNumber> {
  const { tenantId } = await tenants.create(`${name} ${randomBytes(4).toString('hex')}`)
  const number = randomDigits()
  const made = await official.create({
    id: newId('num'),
    tenantId,
    name,
    number,
    settings: DEFAULT_SETTINGS,
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
    verifyToken: 'verify',
    credentials: { phoneId: randomDigits(), accountId, accessToken: 'EAA', appId, appSecret: null },
    health: { number, qualityRating: null, messagingLimitTier: null, officialStatus: null, perSecond: null },
  })
  if (!made.ok) throw new Error(made.error.message)
  return made.value.number
}

/** A template that passes every check. */
export function given(fields: Partial<GivenTemplate> = {}): GivenTemplate {
  return {
    name: 'order_shipped',
    category: 'UTILITY',
    language: 'en',
    body: 'Hello {{customer}}, your order is on its way.',
    examples: { customer: 'Ana' },
    ...fields,
  }
}

/** Creates a template that is approved from then on. */
export async function approved(world: TemplateWorld, fields: Partial<GivenTemplate> = {}): Promise<StoredTemplate> {
  const made = await world.templates.create(world.official, given(fields))
  if (!made.ok) throw new Error(made.error.message)
  world.platform.change(made.value.externalId ?? '', { status: 'APPROVED' })
  const changed = await world.stores.templates.change(made.value.id, () => ({
    kind: 'CHANGE',
    patch: { officialStatus: 'APPROVED', upstreamStatus: 'APPROVED' },
  }))
  if (!changed) throw new Error('the template is gone')
  return changed.template
}

/** Runs the background work after every lease has expired. */
export async function settleLater({ clock, templates }: TemplateWorld): Promise<void> {
  clock.advance(3_600_000)
  await templates.settleAsked(() => true)
}
