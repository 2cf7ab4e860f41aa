import type { TestFn } from 'ava'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import type { OfficialChange } from '../../src/ports/official/changes.ts'
import type { InboundTarget } from '../../src/ports/stores/inbound-store.ts'
import { newOfficial, newTenant, officialNumber, randomId } from './official-store.ts'
import { callEvent, storedEvents, type MakeWorld, type World } from './world.ts'

let lastKey = 0

export function change(target: InboundTarget, fields: Partial<OfficialChange> = {}): OfficialChange {
  const value = fields.value ?? '{"a":1}'
  const field = fields.field ?? 'calls'
  return {
    object: 'whatsapp_business_account',
    accountId: target.accountId,
    field,
    phoneId: null,
    at: null,
    value,
    envelope: `{"object":"whatsapp_business_account","entry":[{"id":"${target.accountId}","changes":[{"field":"${field}","value":${value}}]}]}`,
    key: `${field}:${++lastKey}`,
    ...fields,
  }
}

/** Makes a tenant with an OFFICIAL number; its phone id is in `phoneId`. */
export async function receiver(world: World, tenantId?: TenantId, accountId: string = randomId()) {
  const wanted = newOfficial(tenantId ?? (await newTenant(world)), { accountId })
  const { number } = await officialNumber(world, wanted)
  const target = await world.stores.inbound.findTarget(number.id)
  const fence = await world.leases().acquire(number.id)
  if (!target || !fence) throw new Error('the number cannot receive')
  return { tenantId: wanted.tenantId, number, target, fence, phoneId: wanted.credentials.phoneId }
}

async function natives(world: World, tenantId: TenantId, numberId: NumberId) {
  return (await storedEvents(world.stores.events, { tenantId, numberId })).filter(({ event }) => !event.includes('.'))
}

/** What every InboundStore does. */
export function inboundStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a target is found by number and by account, with what verifies its posts`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, target } = await receiver(world)
    t.deepEqual(target, {
      tenantId,
      numberId: number.id,
      accountId: target.accountId,
      appSecret: 'app-secret',
      verifyToken: 'verify-me',
    })
    t.deepEqual(await world.stores.inbound.findTarget(target.accountId), target)
    for (const unknown of ['num_unknown', '', '0', randomId()])
      t.is(await world.stores.inbound.findTarget(unknown), null)
  })

  test(`${name}: a change is stored once, waits for its number and is an event with upstream's own bytes`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1, 0, 0, 1))
    const { tenantId, number, target, phoneId } = await receiver(world)
    const value =
      '{ "id":"wacid.1", "t":1234567890123456789, "text":"ol\\u00e1 \\ud83d\\ude00 \\u0000 \\/ 😀" , "x":1.50}'
    const one = change(target, { phoneId, value })
    t.deepEqual(await world.stores.inbound.accept(target, [one]), { stored: 1, numbers: [number.id], accounts: [] })
    t.deepEqual(await world.stores.inbound.accept(target, [one, one]), { stored: 0, numbers: [], accounts: [] })
    const pending = await world.stores.inbound.pending(number.id, 0, 10)
    t.is(pending.length, 1)
    t.like(pending[0], { field: 'calls', value, receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 1)) })
    const events = await natives(world, tenantId, number.id)
    t.is(events.length, 1)
    t.like(events[0], { event: 'calls', upstreamBody: one.envelope })
    const data = JSON.stringify(events[0]?.data)
    t.deepEqual(JSON.parse(data), JSON.parse(one.envelope))
    // The database keeps every digit; the store in memory has JavaScript numbers.
    if (name !== 'memory') t.true(data.includes('1234567890123456789'), 'no digit is lost')
    t.regex(events[0]?.id ?? '', /^evt_[0-9a-z]{26}$/)
  })

  test(`${name}: a repetition within one post, and ten posts at once, are stored once`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, target, phoneId } = await receiver(world)
    const [one, two] = [change(target, { phoneId }), change(target, { phoneId })]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => world.stores.inbound.accept(target, i % 2 ? [one, two, one] : [two, one])),
    )
    t.is(
      answers.reduce((sum, { stored }) => sum + stored, 0),
      2,
    )
    t.is((await world.stores.inbound.pending(number.id, 0, 10)).length, 2)
    t.is((await natives(world, tenantId, number.id)).length, 2)
  })

  test(`${name}: changes wait in the order they were told, in pages`, async (t) => {
    const world = makeWorld()
    const { number, target, phoneId, fence, tenantId } = await receiver(world)
    const values = Array.from({ length: 7 }, (_, i) => `{"n":${i}}`)
    await world.stores.inbound.accept(
      target,
      values.slice(0, 5).map((value) => change(target, { phoneId, value })),
    )
    await world.stores.inbound.accept(
      target,
      values.slice(5).map((value) => change(target, { phoneId, value })),
    )
    const first = await world.stores.inbound.pending(number.id, 0, 4)
    const rest = await world.stores.inbound.pending(number.id, first.at(-1)?.position ?? 0, 100)
    t.deepEqual(
      [...first, ...rest].map(({ value }) => value),
      values,
    )
    t.deepEqual(
      (await natives(world, tenantId, number.id)).map(({ upstreamBody }) => /"n":(\d)/.exec(upstreamBody ?? '')?.[1]),
      ['0', '1', '2', '3', '4', '5', '6'],
    )
    for (const { position } of first) t.is(await world.stores.inbound.settle(fence, [position], []), 'applied')
    t.deepEqual(await world.stores.inbound.pending(number.id, 0, 100), rest)
  })

  test(`${name}: a change is settled once, with its events, by the owner alone`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, target, phoneId, fence } = await receiver(world)
    const stranger = await receiver(world)
    const value = '{"who":"somebody private"}'
    const told = change(target, { phoneId, field: 'messages', value })
    await world.stores.inbound.accept(target, [told])
    const position = (await world.stores.inbound.pending(number.id, 0, 1))[0]?.position ?? 0
    const event = callEvent('call.permission_updated', { peerNumber: '+1' })
    t.is(await world.stores.inbound.settle(stranger.fence, [position], [event]), 'conflict')
    t.is(await world.stores.inbound.settle({ ...fence, token: fence.token - 1 }, [position], [event]), 'fenced')
    const results = await Promise.all([1, 2, 3].map(() => world.stores.inbound.settle(fence, [position], [event])))
    t.deepEqual(results.toSorted(), ['applied', 'conflict', 'conflict'])
    const names = (await storedEvents(world.stores.events, { tenantId, numberId: number.id })).map(
      (stored) => stored.event,
    )
    t.deepEqual(names, ['number.created', 'messages', 'call.permission_updated'])
    t.deepEqual(await world.stores.inbound.accept(target, [told]), { stored: 0, numbers: [], accounts: [] })
  })

  test(`${name}: changes of one number are settled together, those that were settled before too`, async (t) => {
    const world = makeWorld()
    const { number, target, phoneId, fence } = await receiver(world)
    const stranger = await receiver(world)
    const told = Array.from({ length: 4 }, () => change(target, { phoneId, field: 'messages' }))
    await world.stores.inbound.accept(target, told)
    await world.stores.inbound.accept(stranger.target, [change(stranger.target, { phoneId: stranger.phoneId })])
    const positions = (await world.stores.inbound.pending(number.id, 0, 10)).map(({ position }) => position)
    const [foreign] = await world.stores.inbound.pending(stranger.number.id, 0, 1)
    const settle = (...places: readonly number[]) =>
      world.stores.inbound.settle(fence, [...places.map((place) => positions[place] ?? 0), foreign?.position ?? 0], [])
    t.is(await settle(0, 1), 'applied')
    t.is(await settle(0, 1), 'conflict')
    t.is(await settle(1, 2), 'applied')
    t.deepEqual(
      (await world.stores.inbound.pending(number.id, 0, 10)).map(({ position }) => position),
      positions.slice(3),
    )
    t.is((await world.stores.inbound.pending(stranger.number.id, 0, 10)).length, 1)
  })

  // [events.native.3]
  test(`${name}: a change without a phone id goes to every number of the account, within the tenant`, async (t) => {
    const world = makeWorld()
    const accountId = randomId()
    const one = await receiver(world, undefined, accountId)
    const two = await receiver(world, one.tenantId, accountId)
    const elsewhere = await receiver(world, one.tenantId)
    const foreign = await receiver(world, undefined, accountId)
    await world.stores.inbound.accept(one.target, [change(one.target, { field: 'account_update' })])
    for (const { tenantId, number, expected } of [
      { ...one, expected: 1 },
      { ...two, expected: 1 },
      { ...elsewhere, expected: 0 },
      { ...foreign, expected: 0 },
    ]) {
      t.deepEqual(
        (await natives(world, tenantId, number.id)).map(({ event }) => event),
        Array(expected).fill('account_update'),
      )
      t.deepEqual(await world.stores.inbound.pending(number.id, 0, 10), [])
    }
    const ids = await Promise.all(
      [one, two].map(async ({ tenantId, number }) => (await natives(world, tenantId, number.id))[0]?.id),
    )
    t.is(new Set(ids).size, 2)
    for (const id of ids) t.regex(id ?? '', /^evt_[0-9a-z]{26}$/)
  })

  test(`${name}: a post reaches no number of another tenant, whatever phone and account it names`, async (t) => {
    const world = makeWorld()
    const mine = await receiver(world)
    const theirs = await receiver(world)
    const forged = [
      change(mine.target, { phoneId: theirs.phoneId }),
      change(theirs.target, { phoneId: theirs.phoneId }),
      change(theirs.target, { field: 'account_update' }),
    ]
    const { numbers } = await world.stores.inbound.accept(mine.target, forged)
    t.deepEqual(numbers, [])
    t.deepEqual(await natives(world, theirs.tenantId, theirs.number.id), [])
    t.deepEqual(await world.stores.inbound.pending(theirs.number.id, 0, 10), [])
    t.deepEqual(
      await world.stores.inbound.accept(theirs.target, forged.slice(1, 2)),
      { stored: 1, numbers: [theirs.number.id], accounts: [] },
      'nor does it keep theirs out',
    )
  })

  test(`${name}: fields that are never forwarded, and unknown ones, are stored without an event`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, target, phoneId } = await receiver(world)
    const changes = ['history', 'security', 'field_of_2030', ''].map((field) =>
      change(target, { field, phoneId, value: `{"of":"${field} ${phoneId}"}` }),
    )
    t.deepEqual(await world.stores.inbound.accept(target, changes), { stored: 4, numbers: [], accounts: [] })
    t.deepEqual(await natives(world, tenantId, number.id), [])
  })

  test(`${name}: numbers with waiting changes are listed until they are settled or removed`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await receiver(world), await receiver(world)]
    for (const { target, phoneId } of [one, two])
      await world.stores.inbound.accept(target, [change(target, { phoneId })])
    const listed = async () =>
      (await world.stores.inbound.listPending(10_000)).filter((id) => id === one.number.id || id === two.number.id)
    t.deepEqual(await listed(), [one.number.id, two.number.id])
    const [waiting] = await world.stores.inbound.pending(one.number.id, 0, 1)
    await world.stores.inbound.settle(one.fence, [waiting?.position ?? 0], [])
    t.deepEqual(await listed(), [two.number.id])
    t.true(await world.stores.numbers.remove(two.tenantId, two.number.id))
    t.deepEqual(await listed(), [])
    t.deepEqual(await world.stores.inbound.pending(two.number.id, 0, 1), [])
  })

  test(`${name}: worked-off changes are forgotten after 30 days, waiting ones never`, async (t) => {
    const world = makeWorld(Date.UTC(2020, 0, 1))
    const { number, target, phoneId, fence } = await receiver(world)
    const [done, waiting] = [change(target, { phoneId }), change(target, { phoneId })]
    await world.stores.inbound.accept(target, [done, waiting])
    const [first] = await world.stores.inbound.pending(number.id, 0, 1)
    await world.stores.inbound.settle(fence, [first?.position ?? 0], [])
    world.clock.advance(30 * 86_400_000 - 1)
    await world.stores.inbound.purge()
    t.is((await world.stores.inbound.accept(target, [done])).stored, 0)
    world.clock.advance(2)
    await world.stores.inbound.purge()
    t.is((await world.stores.inbound.accept(target, [done, waiting])).stored, 1)
  })

  test(`${name}: a thousand changes of 3 MB are stored by one statement`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, target, phoneId } = await receiver(world)
    const changes = Array.from({ length: 1_000 }, (_, i) =>
      change(target, { phoneId, value: `{"n":${i},"text":"${'x'.repeat(3_000)}"}` }),
    )
    const { stored, numbers } = await world.stores.inbound.accept(target, changes)
    t.deepEqual([stored, numbers], [1_000, [number.id]])
    t.is((await world.stores.inbound.pending(number.id, 0, 2_000)).length, 1_000)
    t.is((await natives(world, tenantId, number.id)).length, 99, 'a page of the reader, without number.created')
  })
}
