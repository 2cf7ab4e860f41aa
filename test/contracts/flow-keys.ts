import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { FLOW_KEY_GRACE_MS } from '../../src/domain/limits.ts'
import { flowAccount, madeFlow } from './flow-world.ts'
import { newTenant, randomId } from './official-store.ts'
import type { MakeWorld } from './world.ts'

function pairOf(name: string) {
  return { publicKey: `public-${name}`, privateKey: `-----BEGIN PRIVATE KEY-----\nprivate-${name}` }
}

/**
 * What every FlowKeyStore and FlowEndpointStore does. The purge acts on the whole database by the clock of one test, so
 * that test runs alone.
 */
export function flowKeySuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: an account has one key pair in use, and the one before it reads for a day`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flowKeys } = world.stores
    const { owner } = await flowAccount(world, await newTenant(world))
    const neighbour = await flowAccount(world, await newTenant(world), owner.accountId)
    t.is(await flowKeys.current(owner), null)
    t.deepEqual(await flowKeys.readable(owner, FLOW_KEY_GRACE_MS), [])
    t.true(await flowKeys.create(owner, pairOf('one')))
    t.deepEqual(await flowKeys.current(owner), { publicKey: 'public-one', createdAt: new Date(Date.UTC(2026, 0, 1)) })
    world.clock.advance(1_000)
    t.true(await flowKeys.create(owner, pairOf('two')))
    t.true(await flowKeys.create(owner, pairOf('three')))
    t.is((await flowKeys.current(owner))?.publicKey, 'public-three')
    t.deepEqual(await flowKeys.readable(owner, FLOW_KEY_GRACE_MS), [pairOf('three'), pairOf('two'), pairOf('one')])
    world.clock.advance(FLOW_KEY_GRACE_MS - 1)
    t.is((await flowKeys.readable(owner, FLOW_KEY_GRACE_MS)).length, 3)
    world.clock.advance(1)
    t.deepEqual(await flowKeys.readable(owner, FLOW_KEY_GRACE_MS), [pairOf('three')])
    t.is(await flowKeys.current(neighbour.owner), null)
    t.deepEqual(await flowKeys.readable(neighbour.owner, FLOW_KEY_GRACE_MS), [])
  })

  test(`${name}: when several key pairs are made at once, exactly one is in use`, async (t) => {
    const world = makeWorld()
    const { flowKeys } = world.stores
    const { owner } = await flowAccount(world, await newTenant(world))
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((one) => flowKeys.create(owner, pairOf(one))))
    t.deepEqual(made, [true, true, true, true])
    const readable = await flowKeys.readable(owner, FLOW_KEY_GRACE_MS)
    t.is(readable.length, 4)
    t.is((await flowKeys.current(owner))?.publicKey, readable[0]?.publicKey)
    t.is(
      (JSON.parse(await world.rawTable('flow_keys')) as { account_id: string; replaced_at: string | null }[]).filter(
        (row) => row.account_id === owner.accountId && row.replaced_at === null,
      ).length,
      1,
    )
  })

  test(`${name}: key pairs and endpoints go with the last number of their account`, async (t) => {
    const world = makeWorld()
    const { flowKeys, flowEndpoints, numbers } = world.stores
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const flow = await madeFlow(world, owner)
    await flowKeys.create(owner, pairOf('gone'))
    await flowEndpoints.set(flow.id, { url: 'https://flows.shop.io', secret: 'whsec_x' })
    await numbers.remove(owner.tenantId, number.id)
    t.is(await flowKeys.current(owner), null)
    t.is(await flowEndpoints.find(flow.id), null)
    t.false(await flowKeys.create(owner, pairOf('late')))
    t.false(await flowKeys.create({ ...owner, accountId: randomId() }, pairOf('late')))
  })

  test(`${name}: the endpoint of a Flow is set, replaced and cleared, and outlives what is written over the Flow`, async (t) => {
    const world = makeWorld()
    const { flowEndpoints, flows } = world.stores
    const { owner } = await flowAccount(world, await newTenant(world))
    const [flow, other] = [await madeFlow(world, owner), await madeFlow(world, owner)]
    t.is(await flowEndpoints.find(flow.id), null)
    t.true(await flowEndpoints.set(flow.id, { url: 'https://one.shop.io', secret: 'whsec_one' }))
    t.true(await flowEndpoints.set(flow.id, { url: 'https://two.shop.io', secret: 'whsec_two' }))
    await flows.change(flow.id, () => ({ kind: 'CHANGE', patch: { officialStatus: 'PUBLISHED' } }))
    t.deepEqual(await flowEndpoints.find(flow.id), { owner, url: 'https://two.shop.io', secret: 'whsec_two' })
    t.is(await flowEndpoints.find(other.id), null)
    t.true(await flowEndpoints.clear(flow.id))
    t.is(await flowEndpoints.find(flow.id), null)
    const nothing = newId('flow')
    t.deepEqual(
      [
        await flowEndpoints.set(nothing, { url: 'https://one.shop.io', secret: 's' }),
        await flowEndpoints.clear(nothing),
        await flowEndpoints.find('\0'),
      ],
      [false, false, null],
    )
  })

  // [flows.data-exchange.3]
  test(`${name}: private keys and secrets of endpoints are unreadable in the tables`, async (t) => {
    const world = makeWorld()
    const { owner } = await flowAccount(world, await newTenant(world))
    const flow = await madeFlow(world, owner)
    await world.stores.flowKeys.create(owner, pairOf('hidden-half'))
    await world.stores.flowEndpoints.set(flow.id, { url: 'https://shown.shop.io', secret: 'whsec_hidden' })
    const raw = `${await world.rawTable('flow_keys')}${await world.rawTable('flows')}`
    for (const shown of ['public-hidden-half', 'https://shown.shop.io']) t.true(raw.includes(shown))
    for (const hidden of [
      'private-hidden-half',
      'whsec_hidden',
      Buffer.from('private-hidden-half').toString('base64url').slice(0, 20),
    ])
      t.false(raw.includes(hidden))
  })

  test.serial(`${name}: key pairs that were replaced a day ago go, the one in use stays`, async (t) => {
    const world = makeWorld(Date.UTC(2012, 0, 1))
    const { flowKeys } = world.stores
    const { owner } = await flowAccount(world, await newTenant(world))
    await flowKeys.create(owner, pairOf('old'))
    await flowKeys.create(owner, pairOf('used'))
    const left = async () =>
      (JSON.parse(await world.rawTable('flow_keys')) as { account_id: string; public_key: string }[])
        .filter((row) => row.account_id === owner.accountId)
        .map((row) => row.public_key)
    world.clock.advance(FLOW_KEY_GRACE_MS - 1)
    await flowKeys.purge()
    t.is((await left()).length, 2)
    world.clock.advance(400 * FLOW_KEY_GRACE_MS)
    t.true((await flowKeys.purge()) > 0)
    t.deepEqual(await left(), ['public-used'])
  })
}
