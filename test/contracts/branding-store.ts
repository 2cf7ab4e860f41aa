import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import { DEFAULT_BRANDING } from '../../src/domain/branding.ts'
import { newId } from '../../src/domain/ids.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import { LOGO_KEPT_MS } from '../../src/domain/logo.ts'
import type { StoredLogo } from '../../src/ports/stores/branding-store.ts'
import { ownedNumber, type MakeWorld, type World } from './world.ts'

/** Keys of the logos that are gone. */
async function goneOf(world: World, logos: readonly StoredLogo[]): Promise<string[]> {
  const found = await Promise.all(logos.map(({ key }) => world.stores.branding.findLogo(key)))
  return logos.filter((_, i) => found[i] === null).map(({ key }) => key)
}

async function addLogo(world: World, tenantId: TenantId): Promise<StoredLogo> {
  const logo = {
    key: `${randomBytes(13).toString('hex')}.png`,
    tenantId,
    mimeType: 'image/png',
    fileName: 'logo.png',
    sizeBytes: 1_234,
  }
  await world.stores.branding.addLogo(logo)
  return logo
}

const urlOf = ({ key }: StoredLogo) => `https://gateway.example/branding/logos/${key}`

/** What every BrandingStore does. */
export function brandingStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a brand has the defaults until something is set, and a change keeps the fields that it does not name`, async (t) => {
    const world = makeWorld()
    const { branding } = world.stores
    const { tenantId } = await ownedNumber(world)
    const other = (await ownedNumber(world)).tenantId
    t.deepEqual(await branding.read(tenantId), DEFAULT_BRANDING)
    t.deepEqual(await branding.read(newId('ten')), DEFAULT_BRANDING)
    const set = { companyName: 'Acme "\u{1F600}" \\u0000', primaryColor: '#0a7f5a', hidePilotStatusBranding: true }
    t.deepEqual(await branding.change(tenantId, set), { ...DEFAULT_BRANDING, ...set })
    t.deepEqual(await branding.change(tenantId, { primaryColor: null, subtitle: 'Hello' }), {
      ...DEFAULT_BRANDING,
      ...set,
      primaryColor: null,
      subtitle: 'Hello',
    })
    t.deepEqual(await branding.change(tenantId, {}), await branding.read(tenantId))
    t.deepEqual(await branding.change(tenantId, { ...DEFAULT_BRANDING }), DEFAULT_BRANDING)
    t.deepEqual(await branding.read(other), DEFAULT_BRANDING)
  })

  test(`${name}: changes of different fields at once lose none of them`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await ownedNumber(world)
    await Promise.all(
      [
        { companyName: 'Acme' },
        { subtitle: 'Hello' },
        { supportUrl: 'https://acme.example/' },
        { backgroundColor: '#ffffff' },
      ].map((fields) => world.stores.branding.change(tenantId, fields)),
    )
    t.like(await world.stores.branding.read(tenantId), {
      companyName: 'Acme',
      subtitle: 'Hello',
      supportUrl: 'https://acme.example/',
      backgroundColor: '#ffffff',
    })
  })

  // Serial, because it removes rows of tests whose clocks are earlier.
  test.serial(`${name}: a logo goes 30 days after the last brand, link or embed session that names it`, async (t) => {
    const world = makeWorld()
    const { branding, pairing, embedSessions } = world.stores
    const { tenantId, number, key } = await ownedNumber(world)
    const add = () => addLogo(world, tenantId)
    const [unused, ofTenant, ofLink, both, ofEmbed] = [await add(), await add(), await add(), await add(), await add()]
    const all = [unused, ofTenant, ofLink, both, ofEmbed]
    t.deepEqual(await branding.findLogo(unused.key), unused)
    t.is(await branding.findLogo('unknown.png'), null)
    await branding.change(tenantId, { logoUrl: urlOf(ofTenant) })
    const link = {
      tenantId,
      numberId: number.id,
      redirectUrl: null,
      expiresAt: new Date(world.clock.now() + 3_600_000),
    }
    await pairing.issue({ ...link, branding: { supportUrl: urlOf(both), logoUrl: urlOf(ofLink) } })
    await embedSessions.mint({
      tenantId,
      keyId: key.id,
      surface: 'connect',
      numberIds: [],
      allowedOrigins: ['https://crm.example'],
      branding: { logoUrl: urlOf(ofEmbed) },
      canStart: false,
      ttlSeconds: 900,
      maxAgeMs: 3_600_000,
    })

    world.clock.advance(LOGO_KEPT_MS - 1)
    await branding.takeUnreferencedLogos(100)
    t.deepEqual(await goneOf(world, all), [])
    world.clock.advance(1)
    t.deepEqual(await branding.takeUnreferencedLogos(100), [unused])
    t.deepEqual(await goneOf(world, all), [unused.key])

    await branding.change(tenantId, { logoUrl: null })
    world.clock.advance(LOGO_KEPT_MS - 2)
    await branding.takeUnreferencedLogos(100)
    t.deepEqual(await goneOf(world, all), [unused.key])
    world.clock.advance(3_600_000)
    await branding.takeUnreferencedLogos(100)
    t.deepEqual(await goneOf(world, all), [unused.key, ofTenant.key])

    // Sessions are kept for a day after their end.
    await embedSessions.purge()
    world.clock.advance(LOGO_KEPT_MS)
    await branding.takeUnreferencedLogos(100)
    t.deepEqual(await goneOf(world, all), [unused.key, ofTenant.key, ofEmbed.key])
  })
}
