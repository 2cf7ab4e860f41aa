import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { ListedFlow, MergeListedFlow } from '../../src/ports/stores/flow-store.ts'
import { flowAccount, madeFlow, newFlow, upstreamId, type FlowAccount } from './flow-world.ts'
import { newTenant, randomId } from './official-store.ts'
import type { MakeWorld, World } from './world.ts'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const EVERYTHING = { page: 1, pageSize: 100, officialStatus: null } as const

function listedAs(n: number, fields: Partial<ListedFlow> = {}): ListedFlow {
  return { externalId: `1000000000000000000${n}`, name: `listed_${n}`, ...fields }
}

/**
 * A merge that imports Flows the tenant lacks, and writes existing ones only when their status differs or they have no
 * upstream id.
 */
function importing(world: World, { owner }: FlowAccount): MergeListedFlow<ListedFlow> {
  return ({ externalId, name }, row) => {
    if (row === null)
      return {
        kind: 'CREATE',
        flow: newFlow(world, owner, { officialFlowId: externalId, name, officialStatus: 'PUBLISHED' }),
      }
    const isSame = row.officialFlowId === externalId && row.officialStatus === 'PUBLISHED'
    return isSame
      ? { kind: 'KEEP' }
      : { kind: 'CHANGE', patch: { officialFlowId: externalId, officialStatus: 'PUBLISHED', ask: null } }
  }
}

/**
 * What every FlowStore does with listings of the upstream. Due accounts are taken from the whole database, so that test
 * runs alone.
 */
export function flowListingSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a page of Flows is merged by upstream's id, else by the name of one that waits to reach upstream`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const account = await flowAccount(world, await newTenant(world))
    const byId = await madeFlow(world, account.owner, { name: 'renamed', officialFlowId: listedAs(0).externalId })
    const byName = await madeFlow(world, account.owner, { name: 'listed_1', ask: { kind: 'CREATE' } })
    const namesake = await madeFlow(world, account.owner, { name: 'listed_1', officialFlowId: upstreamId() })
    const same = await madeFlow(world, account.owner, {
      officialFlowId: listedAs(2).externalId,
      officialStatus: 'PUBLISHED',
    })
    const page = [listedAs(0), listedAs(1), listedAs(2), listedAs(3), listedAs(3)]
    t.deepEqual(await flows.merge(account.owner, null, page, importing(world, account)), { imported: 1, updated: 2 })
    t.deepEqual(await flows.merge(account.owner, null, page, importing(world, account)), { imported: 0, updated: 0 })
    const { items } = await flows.list(account.number, EVERYTHING)
    t.is(items.length, 5)
    const statusOf = (id: string) => items.find((item) => item.id === id)?.officialStatus
    t.deepEqual(
      [byId, byName, namesake, same].map(({ id }) => statusOf(id)),
      ['PUBLISHED', 'PUBLISHED', 'DRAFT', 'PUBLISHED'],
    )
    t.like(await flows.find(account.number, byName.id), { officialFlowId: listedAs(1).externalId, ask: null })
    t.deepEqual(await flows.merge(account.owner, null, [listedAs(2)], () => ({ kind: 'REMOVE' })), {
      imported: 0,
      updated: 0,
    })
    t.is(await flows.find(account.number, same.id), null)
  })

  test(`${name}: two merges of the same pages at once import each Flow once, and nothing for a tenant that left the account`, async (t) => {
    const world = makeWorld()
    const { flows, numbers } = world.stores
    const account = await flowAccount(world, await newTenant(world))
    const page = Array.from({ length: 60 }, (_, n) => listedAs(n))
    const counts = await Promise.all(
      [page, page.toReversed(), page].map((one) =>
        flows.merge(account.owner, newId('list'), one, importing(world, account)),
      ),
    )
    t.is(
      counts.reduce((sum, { imported }) => sum + imported, 0),
      60,
    )
    t.is((await flows.list(account.number, EVERYTHING)).total, 60)
    await numbers.remove(account.tenantId, account.number.id)
    t.deepEqual(await flows.merge(account.owner, null, page, importing(world, account)), { imported: 0, updated: 0 })
  })

  test(`${name}: a creation that is answered while a page has its Flow makes no second one`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const account = await flowAccount(world, await newTenant(world))
    for (let n = 0; n < 10; n++) {
      const waiting = await madeFlow(world, account.owner, { name: listedAs(n).name, ask: { kind: 'CREATE' } })
      await Promise.all([
        flows.change(waiting.id, () => ({
          kind: 'CHANGE',
          patch: { officialFlowId: listedAs(n).externalId, ask: null },
        })),
        flows.merge(account.owner, null, [listedAs(n)], importing(world, account)),
      ])
      t.like(await flows.find(account.number, waiting.id), { officialFlowId: listedAs(n).externalId, ask: null })
    }
    t.is((await flows.list(account.number, EVERYTHING)).total, 10)
  })

  test(`${name}: a page that was read before a Flow was removed does not bring it back, a later listing would`, async (t) => {
    const world = makeWorld()
    const { flows } = world.stores
    const account = await flowAccount(world, await newTenant(world))
    const other = await flowAccount(world, await newTenant(world), account.owner.accountId)
    const page = [listedAs(0), listedAs(1), listedAs(2)]
    const merge = (into = account) => flows.merge(into.owner, null, page, importing(world, into))
    await merge()
    const { items } = await flows.list(account.number, EVERYTHING)
    const idOf = (n: number) => items.find(({ officialFlowId }) => officialFlowId === listedAs(n).externalId)?.id
    await flows.change(idOf(0) ?? 'flow_', () => ({ kind: 'REMOVE' }))
    await flows.merge(account.owner, null, [listedAs(1)], () => ({ kind: 'REMOVE' }))
    t.deepEqual(await merge(), { imported: 0, updated: 0 })
    t.deepEqual(await merge(other), { imported: 3, updated: 0 }, 'another tenant removed none')
    world.clock.advance(10 * MINUTE_MS)
    t.deepEqual(await merge(), { imported: 2, updated: 0 })
  })

  test(`${name}: a listing removes drafts that it did not contain, unless they are new or changed since, in doubt, waiting for the upstream, or another tenant's; it removes no published Flow`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flows } = world.stores
    const account = await flowAccount(world, await newTenant(world))
    const neighbour = await flowAccount(world, await newTenant(world), account.owner.accountId)
    const draft = (fields = {}, owner = account.owner) =>
      madeFlow(world, owner, { officialFlowId: upstreamId(), ...fields })
    const [seen, gone] = [await draft({ officialFlowId: listedAs(0).externalId }), await draft()]
    const stay = [
      await draft({ officialStatus: 'PUBLISHED' }),
      await draft({ officialStatus: 'DEPRECATED' }),
      await draft({ ask: { kind: 'DELETE' } }),
      await draft({ officialFlowId: null }),
    ]
    const changed = await draft()
    const theirs = await draft({}, neighbour.owner)
    world.clock.advance(1)
    await flows.change(changed.id, () => ({ kind: 'CHANGE', patch: { jsonVersion: '7.1' } }))
    const young = await draft()
    await flows.merge(
      account.owner,
      newId('list'),
      [{ externalId: gone.officialFlowId ?? '', name: gone.name }],
      () => ({ kind: 'KEEP' }),
    )
    const listing = newId('list')
    await flows.merge(account.owner, listing, [listedAs(0), listedAs(9)], (one, row) =>
      row ? { kind: 'KEEP' } : importing(world, account)(one, null),
    )
    t.is(await flows.removeUnseen(account.owner, listing, new Date(Date.UTC(2026, 0, 1, 0, 0, 0, 1))), 1)
    const left = (await flows.list(account.number, EVERYTHING)).items.map(({ id, name: called }) =>
      called === 'listed_9' ? called : id,
    )
    t.deepEqual(left.toSorted(), [...[seen, ...stay, changed, young].map(({ id }) => id), 'listed_9'].toSorted())
    t.is((await flows.list(neighbour.number, EVERYTHING)).items[0]?.id, theirs.id)
    t.is(await flows.removeUnseen(account.owner, newId('list'), new Date(world.clock.now() + 1)), 3)
  })

  test(`${name}: of two listings of an account at once neither removes a Flow that the other has seen`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { flows } = world.stores
    const account = await flowAccount(world, await newTenant(world))
    const listed = await madeFlow(world, account.owner, { officialFlowId: listedAs(0).externalId })
    world.clock.advance(1)
    const began = new Date(world.clock.now())
    const [one, other] = [newId('list'), newId('list')]
    for (const listing of [one, other, one])
      await flows.merge(account.owner, listing, [listedAs(0)], () => ({ kind: 'KEEP' }))
    t.is(await flows.removeUnseen(account.owner, one, began), 0)
    t.is(await flows.removeUnseen(account.owner, other, began), 0)
    t.deepEqual(
      (await flows.list(account.number, EVERYTHING)).items.map(({ id }) => id),
      [listed.id],
    )
  })

  test.serial(
    `${name}: the Flows of an account are due at once, then by their hour, each time for one taker`,
    async (t) => {
      const world = makeWorld(Date.UTC(2008, 0, 1))
      const { flows, templates } = world.stores
      const tenantId = await newTenant(world)
      const accounts = [await flowAccount(world, tenantId), await flowAccount(world, tenantId)]
      const take = async () =>
        (await flows.takeDueListings(10_000, HOUR_MS, MINUTE_MS))
          .filter((due) => due.tenantId === tenantId)
          .map((due) => due.accountId)
          .toSorted()
      const both = accounts.map(({ owner }) => owner.accountId).toSorted()
      await templates.listed(tenantId, both[0] ?? '')
      t.deepEqual(
        (await Promise.all([take(), take(), take()])).flat().toSorted(),
        both,
        'templates are listed by themselves',
      )
      t.deepEqual(await take(), [])
      world.clock.advance(MINUTE_MS)
      t.deepEqual(await take(), both, 'nobody said that they were listed')
      for (const { owner } of accounts) await flows.listed(owner)
      world.clock.advance(HOUR_MS - 1)
      t.deepEqual(await take(), [])
      world.clock.advance(1)
      t.deepEqual(await take(), both)
      for (const { owner } of accounts) await flows.listed(owner)
      await flows.listed({ tenantId, accountId: randomId() })
      t.deepEqual(await take(), [])
    },
  )

  test.serial(`${name}: the Flows of an account are due at once when another number of it is connected`, async (t) => {
    const world = makeWorld(Date.UTC(2008, 0, 1))
    const { flows } = world.stores
    const { owner } = await flowAccount(world, await newTenant(world))
    const take = async () =>
      (await flows.takeDueListings(10_000, HOUR_MS, MINUTE_MS)).filter(({ tenantId }) => tenantId === owner.tenantId)
        .length
    await flows.listed(owner)
    t.is(await take(), 0)
    await flowAccount(world, owner.tenantId, owner.accountId)
    t.is(await take(), 1)
  })
}
