import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { FLOW_KEY_GRACE_MS } from '../../src/domain/limits.ts'
import { flowAccount, madeFlow } from './flow-world.ts'
import { newOfficial, newTenant, officialNumber } from './official-store.ts'
import type { MakeWorld } from './world.ts'

const ENDPOINT = { url: 'https://flows.shop.io/ask', secret: 'whsec_x' }

function pairOf(name: string) {
  return { publicKey: `public-${name}`, privateKey: `private-${name}` }
}

/** What every FlowExchangeStore does. */
export function flowExchangeSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: an exchange is made of the account's app secrets, of the keys that read, and of the Flow's endpoint`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flowExchanges, flowKeys, flowEndpoints } = world.stores
    const { owner, tenantId } = await flowAccount(world, await newTenant(world))
    const flow = await madeFlow(world, owner)
    const factsOf = () => flowExchanges.factsOf(flow.id, FLOW_KEY_GRACE_MS)
    t.deepEqual(await factsOf(), { appSecrets: ['app-secret'], privateKeys: [], endpoint: null })
    for (const appSecret of ['another', 'app-secret', null])
      await officialNumber(world, newOfficial(tenantId, { accountId: owner.accountId, appSecret }))
    await flowKeys.create(owner, pairOf('one'))
    await flowKeys.create(owner, pairOf('two'))
    await flowEndpoints.set(flow.id, ENDPOINT)
    const facts = await factsOf()
    t.deepEqual(facts?.appSecrets.toSorted(), ['another', 'app-secret'])
    t.deepEqual(facts?.privateKeys, ['private-two', 'private-one'])
    t.deepEqual(facts?.endpoint, ENDPOINT)
    world.clock.advance(FLOW_KEY_GRACE_MS)
    t.deepEqual((await factsOf())?.privateKeys, ['private-two'])
    await flowEndpoints.clear(flow.id)
    t.is((await factsOf())?.endpoint, null)
  })

  test(`${name}: an exchange has nothing of other accounts, nor of other tenants that have the account`, async (t) => {
    const world = makeWorld()
    const { flowExchanges, flowKeys, flowEndpoints } = world.stores
    const { owner, tenantId } = await flowAccount(world, await newTenant(world))
    const other = await flowAccount(world, tenantId)
    const neighbour = await flowAccount(world, await newTenant(world), owner.accountId)
    const [flow, foreign] = [await madeFlow(world, owner), await madeFlow(world, other.owner)]
    for (const one of [other, neighbour]) {
      await officialNumber(world, newOfficial(one.tenantId, { accountId: one.owner.accountId, appSecret: 'of-others' }))
      await flowKeys.create(one.owner, pairOf('of-others'))
    }
    await flowEndpoints.set(foreign.id, ENDPOINT)
    t.deepEqual(await flowExchanges.factsOf(flow.id, FLOW_KEY_GRACE_MS), {
      appSecrets: ['app-secret'],
      privateKeys: [],
      endpoint: null,
    })
    t.is(await flowExchanges.factsOf(newId('flow'), FLOW_KEY_GRACE_MS), null)
  })
}
