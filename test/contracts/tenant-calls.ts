import type { TestFn } from 'ava'
import type { Call } from '../../src/domain/call.ts'
import { newId, type CallId } from '../../src/domain/ids.ts'
import type { NewCall, TenantCallPage } from '../../src/ports/stores/call-store.ts'
import { newCall, ownedNumber, secondNumber, type MakeWorld, type Owned, type World } from './world.ts'

const ALL: TenantCallPage = {
  limit: 100,
  before: null,
  numberId: null,
  status: null,
  direction: null,
  peerNumber: null,
}

async function stored(world: World, owned: Owned, fields: Partial<NewCall> = {}): Promise<CallId> {
  const call = newCall(owned, fields)
  await world.stores.calls.insert(owned.fence, call, [])
  return call.id
}

function idsOf(calls: readonly Call[] | null): CallId[] | null {
  return calls && calls.map(({ id }) => id)
}

/** What every CallStore does with the calls of all numbers of a tenant. */
export function tenantCallSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [dashboard.routes.2]
  test(`${name}: calls of all numbers of a tenant are one list, newest first, read on page by page`, async (t) => {
    const world = makeWorld()
    const first = await ownedNumber(world)
    const second = await secondNumber(world, first)
    const foreign = await ownedNumber(world)
    const ids: CallId[] = []
    // Two each at one moment, so that pages end within one, and of several statuses and directions.
    for (let at = 0; at < 12; at++) {
      const owned = at % 3 === 0 ? second : first
      ids.push(
        await stored(world, owned, {
          status: (['INITIATED', 'COMPLETED', 'FAILED', 'MISSED'] as const)[at % 4] ?? 'FAILED',
          direction: at % 5 < 2 ? 'INBOUND' : 'OUTBOUND',
        }),
      )
      if (at % 2 === 1) world.clock.advance(1)
    }
    await stored(world, foreign)
    const all = (await world.stores.calls.listOfTenant(first.tenantId, ALL)) ?? []
    t.deepEqual(
      idsOf(all),
      [0, 1, 2, 3, 4, 5].flatMap((pair) => [ids[pair * 2], ids[pair * 2 + 1]].toSorted()).toReversed() as CallId[],
    )
    t.deepEqual(all[0], await world.stores.calls.find(all[0]?.numberId ?? 'num_', all[0]?.id ?? ''))
    const read: CallId[] = []
    for (let page = 0; page < 3; page++) {
      const before = read.at(-1) ?? null
      read.push(...(idsOf(await world.stores.calls.listOfTenant(first.tenantId, { ...ALL, limit: 5, before })) ?? []))
    }
    t.deepEqual(read, idsOf(all))
    t.deepEqual(await world.stores.calls.listOfTenant(first.tenantId, { ...ALL, before: read.at(-1) ?? null }), [])
  })

  // [dashboard.routes.2]
  test(`${name}: the calls of a tenant are narrowed by number, status, direction and peer, each alone and together`, async (t) => {
    const world = makeWorld()
    const first = await ownedNumber(world)
    const second = await secondNumber(world, first)
    const peerNumber = '4915100000777'
    const oldest = await stored(world, first, { status: 'FAILED', direction: 'INBOUND', peerNumber })
    world.clock.advance(1)
    const middle = await stored(world, second, { status: 'FAILED', direction: 'OUTBOUND' })
    world.clock.advance(1)
    const newest = await stored(world, second, { status: 'RINGING', direction: 'INBOUND', peerNumber })
    for (const [narrow, expected] of [
      [{ numberId: second.number.id }, [newest, middle]],
      [{ status: 'FAILED' }, [middle, oldest]],
      [{ direction: 'INBOUND' }, [newest, oldest]],
      [{ peerNumber }, [newest, oldest]],
      [{ peerNumber, status: 'FAILED' }, [oldest]],
      [{ numberId: second.number.id, direction: 'INBOUND', peerNumber }, [newest]],
      [{ status: 'FAILED', direction: 'INBOUND' }, [oldest]],
      [{ status: 'FAILED', before: middle }, [oldest]],
      [{ numberId: second.number.id, before: newest }, [middle]],
      [{ peerNumber, before: newest }, [oldest]],
      [{ before: newest, limit: 1 }, [middle]],
      [{ status: 'MISSED' }, []],
      [{ peerNumber: '4915100000778' }, []],
    ] as const)
      t.deepEqual(
        idsOf(await world.stores.calls.listOfTenant(first.tenantId, { ...ALL, ...narrow })),
        [...expected],
        JSON.stringify(narrow),
      )
  })

  // [dashboard.routes.2]
  test(`${name}: a tenant sees no calls of another one, not by their number, nor after a call of theirs`, async (t) => {
    const world = makeWorld()
    const own = await ownedNumber(world)
    const foreign = await ownedNumber(world)
    await stored(world, own)
    const theirs = await stored(world, foreign)
    const { calls } = world.stores
    t.deepEqual(await calls.listOfTenant(own.tenantId, { ...ALL, numberId: foreign.number.id }), [])
    t.is(await calls.listOfTenant(own.tenantId, { ...ALL, before: theirs }), null)
    t.is(await calls.listOfTenant(own.tenantId, { ...ALL, before: newId('call') }), null)
    t.is((await calls.listOfTenant(own.tenantId, ALL))?.length, 1)
    t.is(await calls.findOfTenant(own.tenantId, theirs), null)
    t.is((await calls.findOfTenant(foreign.tenantId, theirs))?.id, theirs)
  })
}
