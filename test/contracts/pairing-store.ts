import type { TestFn } from 'ava'
import { LINK_KEPT_MS, linkHandle } from '../../src/domain/pairing.ts'
import { ownedNumber, type MakeWorld } from './world.ts'

/** What every PairingStore does. */
export function pairingStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [pairing.create.3] [pairing.create.7]
  test(`${name}: a link is found by its token until it expires`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const link = {
      tenantId,
      numberId: number.id,
      branding: { companyName: 'Acme', subtitle: null, button: { label: 'Go' } },
      redirectUrl: 'https://acme.example/done',
      expiresAt: new Date(world.clock.now() + 1_000),
    }
    const token = await world.stores.pairing.issue(link)
    t.regex(token, /^rp_[0-9a-z]{26}$/)
    t.deepEqual(await world.stores.pairing.find(token), { ...link, over: null })
    t.deepEqual(await world.stores.pairing.findByHandle(linkHandle(token)), { ...link, over: null })
    t.is(await world.stores.pairing.findByHandle(token), null)
    world.clock.advance(999)
    t.like(await world.stores.pairing.find(token), { over: null })
    world.clock.advance(1)
    t.like(await world.stores.pairing.find(token), { over: 'EXPIRED', branding: link.branding })
    world.clock.advance(LINK_KEPT_MS)
    t.is(await world.stores.pairing.find(token), null)
    t.is(await world.stores.pairing.find('rp_unknown\0'), null)
  })

  // [pairing.create.4]
  test(`${name}: a newer link revokes the older, also when both are made at once`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const link = {
      tenantId,
      numberId: number.id,
      branding: null,
      redirectUrl: null,
      expiresAt: new Date(world.clock.now() + 60_000),
    }
    const first = await world.stores.pairing.issue(link)
    const tokens = [first, ...(await Promise.all([1, 2, 3].map(() => world.stores.pairing.issue(link))))]
    const found = await Promise.all(tokens.map((token) => world.stores.pairing.find(token)))
    t.deepEqual(found.map((one) => one?.over).sort(), ['REVOKED', 'REVOKED', 'REVOKED', null])
    t.is(found[0]?.over, 'REVOKED')
  })

  test(`${name}: a new link does not show why an earlier pairing ended, but shows the obstacle of the current one`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, fence } = await ownedNumber(world)
    const issueAfter = async (state: 'CLOSE' | 'CONNECTING', pairingReason: 'QR_EXPIRED' | 'PASSKEY_REQUIRED') => {
      await world.stores.numbers.saveConnection(fence, { state, pairingReason }, [])
      await world.stores.pairing.issue({
        tenantId,
        numberId: number.id,
        branding: null,
        redirectUrl: null,
        expiresAt: new Date(world.clock.now() + 60_000),
      })
      return (await world.stores.numbers.find(tenantId, number.id))?.pairingReason
    }
    t.is(await issueAfter('CLOSE', 'QR_EXPIRED'), null)
    t.is(await issueAfter('CONNECTING', 'PASSKEY_REQUIRED'), 'PASSKEY_REQUIRED')
  })

  // [pairing.create.3]
  test(`${name}: success uses up the number's link and no other, until the link is over or a newer one is made`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await ownedNumber(world), await ownedNumber(world)]
    const issue = ({ tenantId, number }: typeof one) =>
      world.stores.pairing.issue({
        tenantId,
        numberId: number.id,
        branding: null,
        redirectUrl: null,
        expiresAt: new Date(world.clock.now() + 60_000),
      })
    const [used, live] = [await issue(one), await issue(two)]
    await world.stores.pairing.consume(one.number.id)
    await world.stores.pairing.consume(one.number.id)
    t.like(await world.stores.pairing.find(used), { numberId: one.number.id, over: 'USED' })
    t.like(await world.stores.pairing.find(live), { numberId: two.number.id, over: null })
    const newer = await issue(one)
    t.like(await world.stores.pairing.find(used), { over: 'USED' })
    t.like(await world.stores.pairing.find(newer), { over: null })
    await world.stores.pairing.consume(one.number.id)
    world.clock.advance(LINK_KEPT_MS)
    t.is(await world.stores.pairing.find(newer), null)
  })
  // Serial, because it removes rows of tests whose clocks are earlier.
  test.serial(`${name}: links that ended 30 days ago are removed, and nothing else`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await ownedNumber(world), await ownedNumber(world)]
    const issue = ({ tenantId, number }: typeof one, lifeMs: number) =>
      world.stores.pairing.issue({
        tenantId,
        numberId: number.id,
        branding: null,
        redirectUrl: null,
        expiresAt: new Date(world.clock.now() + lifeMs),
      })
    const [old, kept] = [await issue(one, 1_000), await issue(two, 2_000)]
    world.clock.advance(1_000 + LINK_KEPT_MS)
    t.is(await world.stores.pairing.purge(), 1)
    t.is(await world.stores.pairing.find(old), null)
    t.like(await world.stores.pairing.find(kept), { over: 'EXPIRED' })
  })
}
