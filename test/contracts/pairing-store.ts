import type { TestFn } from 'ava'
import { ownedNumber, type MakeWorld } from './world.ts'

/** What every PairingStore does. */
export function pairingStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a link is found by its token until it expires`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const link = { tenantId, numberId: number.id, branding: { title: 'Acme', nested: [1, null] }, redirectUrl: 'https://acme.example/done', expiresAt: new Date(world.clock.now() + 1_000) }
    const token = await world.stores.pairing.issue(link)
    t.regex(token, /^rp_[0-9a-z]{26}$/)
    t.deepEqual(await world.stores.pairing.find(token), { ...link, isUsed: false })
    world.clock.advance(999)
    t.truthy(await world.stores.pairing.find(token))
    world.clock.advance(1)
    t.is(await world.stores.pairing.find(token), null)
    t.is(await world.stores.pairing.find('rp_unknown\0'), null)
  })

  test(`${name}: a newer link revokes the older, also when both are made at once`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const link = { tenantId, numberId: number.id, branding: null, redirectUrl: null, expiresAt: new Date(world.clock.now() + 60_000) }
    const first = await world.stores.pairing.issue(link)
    const tokens = [first, ...await Promise.all([1, 2, 3].map(() => world.stores.pairing.issue(link)))]
    const found = await Promise.all(tokens.map((token) => world.stores.pairing.find(token)))
    t.is(found.filter((one) => one !== null).length, 1)
    t.is(found[0], null)
  })

  test(`${name}: success uses up the number's link and no other, until the link is over or a newer one is made`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await ownedNumber(world), await ownedNumber(world)]
    const issue = ({ tenantId, number }: typeof one) => world.stores.pairing.issue({
      tenantId, numberId: number.id, branding: null, redirectUrl: null, expiresAt: new Date(world.clock.now() + 60_000),
    })
    const [used, live] = [await issue(one), await issue(two)]
    await world.stores.pairing.consume(one.number.id)
    await world.stores.pairing.consume(one.number.id)
    t.like(await world.stores.pairing.find(used), { numberId: one.number.id, isUsed: true })
    t.like(await world.stores.pairing.find(live), { numberId: two.number.id, isUsed: false })
    const newer = await issue(one)
    t.is(await world.stores.pairing.find(used), null)
    t.like(await world.stores.pairing.find(newer), { isUsed: false })
    await world.stores.pairing.consume(one.number.id)
    world.clock.advance(60_000)
    t.is(await world.stores.pairing.find(newer), null)
  })
}
