import test from 'ava'
import { roomOf, surplusOf } from '../../../actors/hosting/placing.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import { leaseTimesOf } from '../../../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../../../src/domain/limits.ts'
import { memoryLeases } from '../../helpers/memory/leases.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { connectedNumber, createRig, pass, placeCall, settled, type Rig } from '../rig.ts'

const TIMES = leaseTimesOf(LEASE_TTL_MS)

/** Nodes over the same rows. Each has its own clock, and its sessions open at once. */
function nodesOver(rows: MemoryRows, count: number): Rig[] {
  return Array.from({ length: count }, () => {
    const rig = createRig({ rows })
    rows.nodes.set(rig.nodeId, { boot: 'boot', state: 'alive' })
    rig.driver.onOpen = (session) =>
      void setImmediate(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
    return rig
  })
}

async function passAll(rigs: readonly Rig[], totalMs: number): Promise<void> {
  for (let left = totalMs; left > 0; left -= 500) for (const rig of rigs) await pass(rig, 500, 500)
}

function heldBy(rows: MemoryRows, rig: Rig): NumberId[] {
  return [...rows.leases]
    .filter(([, lease]) => lease.owner === rig.nodeId && lease.token > 0)
    .map(([numberId]) => numberId)
}

// [nodes.placement.2]
test('a node has room up to its share, and a surplus only beyond a tenth above it', (t) => {
  t.is(roomOf({ nodes: 3, numbers: 300, mine: 40 }), 60)
  t.is(roomOf({ nodes: 3, numbers: 10, mine: 4 }), 0)
  t.is(
    roomOf({ nodes: 0, numbers: 10, mine: 0 }),
    10,
    'a node that does not know of itself yet takes them all the same',
  )
  t.is(surplusOf({ nodes: 4, numbers: 300, mine: 100 }), 25)
  t.is(surplusOf({ nodes: 4, numbers: 300, mine: 82 }), 0)
  t.is(surplusOf({ nodes: 2, numbers: 3, mine: 2 }), 0)
})

// [nodes.placement.1]
test('numbers of a dead node are taken within two looks, by each node up to its share', async (t) => {
  const rows = new MemoryRows()
  const numbers = Array.from({ length: 30 }, () => rows.addNumber({ credentials: 'secret' }))
  for (const numberId of numbers) rows.leases.set(numberId, { owner: 'node_dead', token: 5 })
  const nodes = nodesOver(rows, 3)
  for (const rig of nodes) await rig.directory.start()
  t.deepEqual(
    nodes.map((rig) => heldBy(rows, rig).length),
    [0, 0, 0],
  )
  rows.nodes.set('node_dead', { boot: 'gone', state: 'dead' })
  await passAll(nodes, 2 * TIMES.lookMs)
  t.deepEqual(
    nodes.map((rig) => heldBy(rows, rig).length),
    [10, 10, 10],
  )
  t.deepEqual(
    nodes.map((rig) => rig.driver.sessions.length),
    [10, 10, 10],
  )
  t.true(numbers.every((numberId) => rows.leases.get(numberId)?.token === 6))
})

test('a number that no node below its share takes may be taken by any node after some looks', async (t) => {
  const rows = new MemoryRows()
  for (let i = 0; i < 8; i++)
    rows.leases.set(rows.addNumber({ credentials: 'secret' }), { owner: 'node_dead', token: 1 })
  const [alive] = nodesOver(rows, 1)
  if (!alive) return t.fail()
  // The row of this node says that it is alive, but it takes no numbers.
  rows.nodes.set('node_idle', { boot: 'boot', state: 'alive' })
  await alive.directory.start()
  rows.nodes.set('node_dead', { boot: 'gone', state: 'dead' })
  await passAll([alive], 2 * TIMES.lookMs)
  t.is(heldBy(rows, alive).length, 4)
  await passAll([alive], 4 * TIMES.lookMs)
  t.is(heldBy(rows, alive).length, 8)
})

// [nodes.placement.2]
test('a node that joins is given its share of idle numbers, at most 20 a second, and what is under way stays', async (t) => {
  const rows = new MemoryRows()
  const [old] = nodesOver(rows, 1)
  if (!old) return t.fail()
  const talking = await connectedNumber(old)
  await placeCall(old, talking)
  for (let i = 0; i < 99; i++) rows.addNumber({ credentials: 'secret' })
  await passAll([old], TIMES.renewMs)
  t.is(heldBy(rows, old).length, 100)
  const [joined] = nodesOver(rows, 1)
  if (!joined) return t.fail()
  await joined.directory.start()
  for (let second = 0, before = 100; second < 20; second++) {
    await passAll([old, joined], 1_000)
    const now = heldBy(rows, old).length
    t.true(before - now <= 20, `${before - now} in a second`)
    before = now
  }
  t.deepEqual([heldBy(rows, old).length, heldBy(rows, joined).length], [50, 50])
  t.is(rows.leases.get(talking)?.owner, old.nodeId, 'it has a call')
  t.is(old.directory.stats().calls, 1)
  t.false(rows.eventNames().includes('number.disconnected'))
  await passAll([old, joined], 30_000)
  t.deepEqual([heldBy(rows, old).length, heldBy(rows, joined).length], [50, 50], 'it stays so')
})

// [nodes.sigterm.1] [nodes.sigterm.2]
test('a node that stops gives numbers without calls to the others at once, and then those with calls', async (t) => {
  const rows = new MemoryRows()
  const [leaving, staying] = nodesOver(rows, 2)
  if (!leaving || !staying) return t.fail()
  const talking = await connectedNumber(leaving)
  await placeCall(leaving, talking)
  const idle = rows.addNumber({ credentials: 'secret' })
  await passAll([leaving], TIMES.renewMs)
  t.is(heldBy(rows, leaving).length, 2)
  await staying.directory.start()
  const draining = leaving.directory.drain()
  await settled()
  await draining
  await passAll([staying], 2 * TIMES.lookMs)
  t.deepEqual([heldBy(rows, leaving), heldBy(rows, staying)], [[talking], [idle]])
  const unknown = rows.addNumber()
  const asked = leaving.directory.askNumber(unknown, 'CurrentCode', {})
  await pass(leaving, 11_000)
  t.like(await asked, { ok: false, error: { code: 'NOT_OWNER' } })
  t.deepEqual(heldBy(rows, leaving), [talking], 'it takes no number any more')
  await leaving.directory.stop()
  await passAll([staying], 2 * TIMES.lookMs)
  t.deepEqual(new Set(heldBy(rows, staying)), new Set([talking, idle]))
  t.false(rows.nodes.has(leaving.nodeId))
})

/** Starts to create a group on a number of `node`. `answer` decides what the device returned. */
async function makingGroup(node: Rig) {
  const numberId = await connectedNumber(node)
  const answered = Promise.withResolvers<void>()
  node.driver.last.deviceAnswer = async () => {
    await answered.promise
    return succeed({ id: '1@g.us', name: 'Team', participants: [] })
  }
  const made = node.directory.askDevice(numberId, 'createGroup', { subject: 'Team', participants: [] })
  await settled()
  return { numberId, made, answer: () => answered.resolve() }
}

test('a number whose device is being asked for something is not idle: it is not given to another node', async (t) => {
  const rows = new MemoryRows()
  const [old] = nodesOver(rows, 1)
  if (!old) return t.fail()
  const { numberId, made, answer } = await makingGroup(old)
  rows.addNumber({ credentials: 'secret' })
  await passAll([old], TIMES.renewMs)
  const [joined] = nodesOver(rows, 1)
  if (!joined) return t.fail()
  await joined.directory.start()
  await passAll([old, joined], 12_000)
  t.is(rows.leases.get(numberId)?.owner, old.nodeId)
  answer()
  t.like(await made, { ok: true, value: { id: '1@g.us' } })
  t.deepEqual([heldBy(rows, old).length, heldBy(rows, joined).length], [1, 1])
})

test('a node that stops lets a device answer what it was asked before its number goes, and what is asked meanwhile is done by the next owner', async (t) => {
  const rows = new MemoryRows()
  const [leaving, staying] = nodesOver(rows, 2)
  if (!leaving || !staying) return t.fail()
  const { numberId, made, answer } = await makingGroup(leaving)
  await staying.directory.start()
  await leaving.directory.drain()
  const read = leaving.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['m1'] })
  const stopping = leaving.directory.stop()
  await passAll([staying, leaving], 5_000)
  t.deepEqual([heldBy(rows, leaving), heldBy(rows, staying)], [[numberId], []])
  t.deepEqual(
    leaving.driver.last.asked.filter((what) => what.startsWith('read')),
    [],
  )
  answer()
  t.like(await made, { ok: true, value: { id: '1@g.us' } })
  await stopping
  await passAll([staying], 2 * TIMES.lookMs)
  t.deepEqual(heldBy(rows, staying), [numberId])
  await pass(leaving, 11_000)
  t.like(await read, { ok: false, error: { code: 'NOT_OWNER' } }, 'the nodes of this test do not hear each other')
})

test('a device that never answers keeps a node that stops for some seconds only', async (t) => {
  const rows = new MemoryRows()
  const [leaving] = nodesOver(rows, 2)
  if (!leaving) return t.fail()
  const { made } = await makingGroup(leaving)
  const stopping = leaving.directory.stop()
  await pass(leaving, 15_000)
  await stopping
  t.like(await made, { ok: false, error: { code: 'TIMEOUT' } })
})

test('a node that stops and is alone goes on as it is until its requests have ended', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  await rig.directory.drain()
  t.true((await rig.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['m1'] })).ok)
  t.is(rig.directory.stats().numbers, 1)
  await rig.directory.stop()
  t.is(rig.directory.stats().numbers, 0)
})

test('a number that its owner gave up, and nobody took, is started again with the next renewal', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.rows.leaseFailing = true
  await pass(rig, TIMES.ttlMs)
  t.is(rig.directory.stats().numbers, 0)
  rig.rows.leaseFailing = false
  await pass(rig, TIMES.renewMs + TIMES.checkMs)
  t.is(rig.directory.stats().numbers, 1)
  t.is(rig.driver.sessions.length, 2)
  t.true((rig.rows.leases.get(numberId)?.token ?? 0) > 1)
})

test('a number that is found by the walk over all numbers and taken at the same time is started, however few may start at once', async (t) => {
  const rows = new MemoryRows()
  const [slow, taken] = [rows.addNumber({ credentials: 'secret' }), rows.addNumber({ credentials: 'secret' })]
  const slowly = Promise.withResolvers<void>()
  let pages = 0
  const rig: Rig = createRig({
    rows,
    startGate: 1,
    leases: {
      async acquire(numberId) {
        if (numberId === slow) await slowly.promise
        return memoryLeases(rows, rig.nodeId).acquire(numberId)
      },
    },
    placement: { listFree: async () => ({ free: ++pages === 2 ? [slow, taken] : [], next: null }) },
  })
  rows.leases.set(taken, { owner: 'node_dead', token: 1, untilMs: -Infinity })
  await rig.directory.start()
  await pass(rig, TIMES.renewMs, 500)
  rows.nodes.set('node_dead', { boot: 'gone', state: 'dead' })
  await pass(rig, TIMES.lookMs, 500)
  slowly.resolve()
  await pass(rig, TIMES.lookMs, 500)
  t.is(rig.driver.sessions.length, 2)
})

test('writes that a fence refused are counted', async (t) => {
  let refused = 0
  const metrics = {
    counter: (name: string) => ({
      add: () => {
        if (name === 'fenced_writes_total') refused++
      },
    }),
    gauge: () => ({ set: () => {} }),
    histogram: () => ({ observe: () => {} }),
  }
  const rig = createRig({ metrics })
  const numberId = await connectedNumber(rig)
  const { externalCallId } = await placeCall(rig, numberId)
  t.is(refused, 0)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 99 })
  rig.driver.last.raise({ type: 'callEnded', externalCallId, reason: 'hangup' })
  await settled()
  t.true(refused > 0)
})

test('a handed over number is taken as soon as a node is told, before its next look', async (t) => {
  const rows = new MemoryRows()
  const [told] = nodesOver(rows, 1)
  if (!told) return t.fail()
  const numberId = rows.addNumber({ credentials: 'secret' })
  rows.leases.set(numberId, { owner: 'node_other', token: 3 })
  await told.directory.start()
  rows.leases.set(numberId, { owner: 'node_other', token: -3, isWanted: true })
  for (let again = 0; again < 3; again++) told.directory.takeHandedOver()
  await pass(told, 50, 50)
  t.deepEqual(heldBy(rows, told), [numberId])
  t.is(told.driver.sessions.length, 1)
})
