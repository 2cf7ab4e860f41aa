import type { TestFn } from 'ava'
import { newId, type NumberId } from '../../src/domain/ids.ts'
import type { Fence } from '../../src/ports/leases.ts'
import { until } from '../helpers/until.ts'
import { assertLeaseOrders } from './lease-orders.ts'
import { ownedNumber, type MakeLeases, type MakeWorld } from './world.ts'

/** What all Leases do. */
export function leaseSuite(test: TestFn, name: string, makeWorld: MakeWorld, makeLeases: MakeLeases): void {
  test(`${name}: a held number is nobody else's, and its own node re-takes it at once with a higher token`, async (t) => {
    const { number, fence } = await ownedNumber(makeWorld())
    const [owner, other] = [makeLeases('one'), makeLeases('two')]
    t.is(await other.acquire(number.id), null)
    t.is((await other.ownerOf(number.id))?.nodeId, owner.nodeId)
    const again = await owner.acquire(number.id)
    t.true(again !== null && again.token > fence.token)
    const holder = await other.ownerOf(number.id)
    t.like(holder, { nodeId: owner.nodeId, token: again?.token })
    t.true((holder?.leftMs ?? 0) > 0)
  })

  test(`${name}: a released number is free at once and its token still rises`, async (t) => {
    const { number, fence } = await ownedNumber(makeWorld())
    const [owner, other] = [makeLeases('one'), makeLeases('two')]
    await other.release({ numberId: number.id, token: fence.token })
    t.is((await other.ownerOf(number.id))?.nodeId, owner.nodeId)
    await owner.release({ numberId: number.id, token: fence.token + 1 })
    t.is((await other.ownerOf(number.id))?.nodeId, owner.nodeId)
    await owner.release(fence)
    t.is(await other.ownerOf(number.id), null)
    const taken = await other.acquire(number.id)
    t.true(taken !== null && taken.token > fence.token)
  })

  test(`${name}: an expired lease is not renewed, and waits out its grace before another takes it`, async (t) => {
    const { number } = await ownedNumber(makeWorld())
    const short = makeLeases(`short ${number.id}`, { ttlMs: 1, graceMs: 0 })
    await makeLeases('one').release({ numberId: number.id, token: 1 })
    t.truthy(await short.acquire(number.id))
    await until('the lease is over', async () => (await short.ownerOf(number.id)) === null)
    t.deepEqual(await short.renew(), { kept: [], over: [number.id] })
    t.is(await makeLeases('two', { ttlMs: 1_000, graceMs: 3_600_000 }).acquire(number.id), null)
    t.is((await makeLeases('two', { ttlMs: 60_000, graceMs: 0 }).acquire(number.id))?.token, 3)
  })

  test(`${name}: a lease that ran out is reclaimed by its token while nobody took it, and is held again`, async (t) => {
    const { number, fence } = await ownedNumber(makeWorld())
    const mine = `paused ${number.id}`
    await makeLeases('one').release(fence)
    const held = await makeLeases(mine, { ttlMs: 1, graceMs: 0 }).acquire(number.id)
    const leases = makeLeases(mine)
    await until('the lease is over', async () => (await leases.ownerOf(number.id)) === null)
    t.deepEqual(await leases.renew(), { kept: [], over: [number.id] })
    t.deepEqual(await leases.reclaim(held ? [held] : []), [number.id])
    t.is((await leases.ownerOf(number.id))?.nodeId, leases.nodeId)
    t.deepEqual(await leases.renew(), { kept: [number.id], over: [] })
    t.deepEqual(await leases.reclaim([]), [])
  })

  test(`${name}: a number that another node took, that has another token, or that was given back is not reclaimed`, async (t) => {
    const world = makeWorld()
    const mine = `paused ${newId('node')}`
    const short = makeLeases(mine, { ttlMs: 1, graceMs: 0 })
    const fences: Fence[] = []
    for (let i = 0; i < 4; i++) {
      const { number, fence } = await ownedNumber(world)
      await makeLeases('one').release(fence)
      const held = await short.acquire(number.id)
      if (held) fences.push(held)
    }
    const [kept, taken, renewed, released] = fences
    if (!kept || !taken || !renewed || !released) return t.fail('not acquired')
    await makeLeases('two', { ttlMs: 60_000, graceMs: -3_600_000 }).acquire(taken.numberId)
    await short.acquire(renewed.numberId)
    await short.release(released)
    t.deepEqual(await short.reclaim(fences), [kept.numberId])
    t.is((await makeLeases('one').ownerOf(taken.numberId))?.nodeId, makeLeases('two').nodeId)
  })

  test(`${name}: one renewal keeps everything the node holds, and nothing it lost`, async (t) => {
    const world = makeWorld()
    const mine = `renewing ${newId('node')}`
    const leases = makeLeases(mine)
    const numbers: NumberId[] = []
    for (let i = 0; i < 3; i++) {
      const { number, fence } = await ownedNumber(world)
      await makeLeases('one').release(fence)
      await leases.acquire(number.id)
      numbers.push(number.id)
    }
    t.deepEqual((await leases.renew()).kept.toSorted(), numbers.toSorted())
    const lost = numbers[0] ?? newId('num')
    await makeLeases('two', { ttlMs: 60_000, graceMs: -3_600_000 }).acquire(lost)
    t.deepEqual((await leases.renew()).kept.toSorted(), numbers.slice(1).toSorted())
  })

  test(`${name}: in every order leases are taken, renewed, reclaimed and released as their rows say`, async (t) => {
    const makeNumber = async (): Promise<NumberId> => {
      const { number, fence } = await ownedNumber(makeWorld())
      await makeLeases('one').release(fence)
      return number.id
    }
    await t.notThrowsAsync(assertLeaseOrders(makeNumber, makeLeases))
  })

  test(`${name}: renewals and reclaims at once do not wait for each other in a circle`, async (t) => {
    const world = makeWorld()
    const owned = await Promise.all(Array.from({ length: 40 }, () => ownedNumber(world)))
    const mine = makeLeases(`circle ${owned[0]?.number.id}`)
    await Promise.all(owned.map(({ fence }) => makeLeases('one').release(fence)))
    const held = (await Promise.all(owned.map(({ number }) => mine.acquire(number.id)))).filter(
      (fence) => fence !== null,
    )
    t.is(held.length, owned.length)
    for (let round = 0; round < 10; round++) {
      const reclaims = [held, held.toReversed(), held, held.toReversed()].map((fences) => mine.reclaim(fences))
      const renewed = () => mine.renew().then(({ kept }) => kept)
      const kept = await Promise.all([...reclaims, renewed(), renewed()])
      t.true(kept.every((numbers) => numbers.length === held.length))
    }
  })

  test(`${name}: nodes that fight for numbers never get one token twice`, async (t) => {
    const world = makeWorld()
    const numbers: NumberId[] = []
    for (let i = 0; i < 4; i++) {
      const { number, fence } = await ownedNumber(world)
      await makeLeases('one').release(fence)
      numbers.push(number.id)
    }
    const granted: Fence[] = []
    await Promise.all(
      Array.from({ length: 6 }, async (_, node) => {
        const leases = makeLeases(`fighter ${node} ${numbers[0]}`, { ttlMs: 2, graceMs: 0 })
        for (let round = 0; round < 25; round++) {
          const fence = await leases.acquire(numbers[(round + node) % numbers.length] ?? newId('num'))
          if (fence) granted.push(fence)
          if (fence && round % 3 === 0) await leases.release(fence)
        }
      }),
    )
    t.true(granted.length > 20)
    t.is(new Set(granted.map(({ numberId, token }) => `${numberId} ${token}`)).size, granted.length)
    for (const numberId of numbers) {
      const tokens = granted
        .filter((fence) => fence.numberId === numberId)
        .map(({ token }) => token)
        .toSorted((a, b) => a - b)
      t.deepEqual(
        tokens,
        tokens.map((_, index) => index + 2),
      )
    }
  })

  test(`${name}: a number that does not exist cannot be owned`, async (t) => {
    t.is(await makeLeases('one').acquire(newId('num')), null)
    t.is(await makeLeases('one').ownerOf(newId('num')), null)
  })
}
