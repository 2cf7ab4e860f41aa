import test from 'ava'
import { createOwnership } from '../../../src/leases/ownership.ts'
import { newId, type NodeId, type NumberId } from '../../../src/domain/ids.ts'
import { leaseTimesOf } from '../../../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../../../src/domain/limits.ts'
import type { Leases, Renewal } from '../../../src/ports/leases.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { memoryLeases } from '../../helpers/memory/leases.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { silentLog } from '../../helpers/silent.ts'
import { connectedNumber, createRig, pass, placeCall, settled, statusOf } from '../rig.ts'

const TIMES = leaseTimesOf(LEASE_TTL_MS)
/** Longer than an owner trusts its lease, but shorter than another node waits to take over. */
const PAUSE_MS = TIMES.ttlMs - TIMES.safetyMs + 1_000

async function ownedNumbers(count: number, patch: (rows: MemoryRows, leases: Leases) => Partial<Leases> = () => ({})) {
  const rows = new MemoryRows()
  const clock = new FakeClock()
  const nodeId: NodeId = newId('node')
  const leases = memoryLeases(rows, nodeId)
  const lost: NumberId[] = []
  const found: NumberId[] = []
  const replaced: NodeId[] = []
  const withPatch = { ...leases, ...patch(rows, leases) }
  const ownership = createOwnership({
    leases: withPatch,
    clock,
    log: silentLog,
    lost: (numberId) => void lost.push(numberId),
    found: (numberIds) => void found.push(...numberIds),
    replaced: () => void replaced.push(nodeId),
  })
  ownership.start()
  const numbers = Array.from({ length: count }, () => rows.addNumber())
  for (const numberId of numbers) await ownership.acquire(numberId)
  const run = async (totalMs: number) => {
    for (let left = totalMs; left > 0; left -= 500) {
      clock.advance(500)
      await settled(3)
    }
  }
  return {
    rows,
    clock,
    nodeId,
    leases: withPatch,
    lost,
    found,
    replaced,
    numbers,
    ownership,
    run,
    stall: async (ms: number) => {
      clock.stall(ms)
      await settled(3)
    },
  }
}

test('a process that did not run for longer than it trusts its leases loses no number that nobody took, and goes on renewing', async (t) => {
  const { lost, run, stall } = await ownedNumbers(3)
  await run(4_000)
  await stall(PAUSE_MS)
  await run(60_000)
  t.deepEqual(lost, [])
})

test('even after a pause of a minute the node keeps its numbers, unless a row names another node', async (t) => {
  const {
    rows,
    lost,
    run,
    stall,
    numbers: [mine, taken],
  } = await ownedNumbers(2)
  if (taken === undefined || mine === undefined) return t.fail()
  rows.leases.set(taken, { owner: newId('node'), token: 2 })
  await stall(60_000)
  t.deepEqual(lost, [taken])
  await run(60_000)
  t.deepEqual(lost, [taken])
})

test("after a stall the database has three checks of a running process to answer; after that the node's own deadline counts", async (t) => {
  const { lost, run, stall, numbers } = await ownedNumbers(1, () => ({
    reclaim: () => new Promise(() => {}),
    renew: () => new Promise(() => {}),
  }))
  await stall(PAUSE_MS)
  await run(2 * TIMES.checkMs)
  t.deepEqual(lost, [])
  await run(2 * TIMES.checkMs)
  t.deepEqual(lost, numbers)
})

test('after a stall a broken connection is no answer: the rows are asked again', async (t) => {
  let asked = 0
  const { lost, run, stall } = await ownedNumbers(1, (_, leases) => ({
    reclaim: (fences) => (++asked < 3 ? Promise.reject(new Error('reset')) : leases.reclaim(fences)),
  }))
  await stall(PAUSE_MS)
  await run(30_000)
  t.is(asked, 3)
  t.deepEqual(lost, [])
})

test('a second stall while the rows are read starts the reading anew', async (t) => {
  const answers: (() => void)[] = []
  const { lost, run, stall } = await ownedNumbers(1, (_, leases) => ({
    async reclaim(fences) {
      const kept = await leases.reclaim(fences)
      await new Promise<void>((resolve) => {
        answers.push(resolve)
      })
      return kept
    },
  }))
  await stall(PAUSE_MS)
  await run(TIMES.checkMs)
  await stall(PAUSE_MS)
  t.is(answers.length, 2)
  await run(TIMES.checkMs)
  for (const answer of answers) answer()
  await run(10_000)
  t.deepEqual(lost, [])
})

test('a renewal under way when the process stopped decides nothing: it may have come after the leases ran out', async (t) => {
  const renewals: PromiseWithResolvers<Renewal>[] = []
  const { lost, run, stall, clock } = await ownedNumbers(1, () => ({
    renew() {
      const renewal = Promise.withResolvers<Renewal>()
      renewals.push(renewal)
      return renewal.promise
    },
  }))
  clock.advance(TIMES.renewMs)
  await stall(PAUSE_MS)
  renewals[0]?.resolve({ kept: [], over: [] })
  await run(TIMES.renewMs)
  t.deepEqual(lost, [])
})

test('a number acquired while the process stopped is asked about too', async (t) => {
  const answer = Promise.withResolvers<void>()
  let isSlow = false
  const { rows, ownership, clock, lost, run } = await ownedNumbers(1, (_, leases) => ({
    async acquire(numberId) {
      const fence = await leases.acquire(numberId)
      if (isSlow) await answer.promise
      return fence
    },
  }))
  isSlow = true
  const acquiring = ownership.acquire(rows.addNumber())
  clock.stall(PAUSE_MS)
  answer.resolve()
  await acquiring
  await run(20_000)
  t.deepEqual(lost, [])
})

test('renewals that fail without a stall still end before the lease does', async (t) => {
  const { rows, lost, run, numbers } = await ownedNumbers(1)
  rows.leaseFailing = true
  await run(TIMES.ttlMs - TIMES.safetyMs - TIMES.checkMs)
  t.deepEqual(lost, [])
  await run(2 * TIMES.checkMs)
  t.deepEqual(lost, numbers)
})

test('a renewal that failed is tried again with the next look, not a turn later', async (t) => {
  const sent: number[] = []
  const { lost, run, clock } = await ownedNumbers(1, (_, leases) => ({
    renew() {
      sent.push(clock.monotonicMs())
      return sent.length < 3 ? Promise.reject(new Error('reset')) : leases.renew()
    },
  }))
  await run(2 * TIMES.renewMs)
  t.deepEqual(sent.slice(0, 3), [TIMES.renewMs, TIMES.renewMs + TIMES.checkMs, TIMES.renewMs + 2 * TIMES.checkMs])
  t.deepEqual(lost, [])
})

test('each renewal reports numbers that the rows give to this node but that it does not hold, except those that it is giving back', async (t) => {
  const {
    leases,
    numbers: [lost, given],
    ownership,
    found,
    run,
  } = await ownedNumbers(2)
  if (lost === undefined || given === undefined) return t.fail()
  ownership.forget(lost)
  const held = leases.release
  const released = Promise.withResolvers<void>()
  leases.release = async (...given) => {
    await released.promise
    return held(...given)
  }
  void ownership.release(given)
  await run(TIMES.renewMs)
  t.deepEqual(found, [lost])
  released.resolve()
  await run(TIMES.renewMs)
  t.deepEqual(found, [lost, lost])
})

test('a process whose name another one took while it did not run loses what it held, takes nothing anew, and is told once', async (t) => {
  const { rows, nodeId, lost, found, replaced, numbers, ownership, run, stall } = await ownedNumbers(2)
  await run(TIMES.renewMs)
  rows.nodes.set(nodeId, { boot: 'later', state: 'alive' })
  for (const numberId of numbers) rows.leases.set(numberId, { owner: nodeId, token: 2 })
  await stall(PAUSE_MS)
  await run(3 * TIMES.renewMs)
  t.deepEqual(lost.toSorted(), numbers.toSorted())
  t.deepEqual([found, replaced], [[], [nodeId]])
  t.is(await ownership.acquire(numbers[0] ?? newId('num')), null)
})

test('a live call, its session and its number go on after a pause', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id, externalCallId } = await placeCall(rig, numberId)
  rig.driver.last.raise({ type: 'callRinging', externalCallId })
  await settled()
  rig.clock.stall(PAUSE_MS)
  await pass(rig, 10_000)
  t.is(statusOf(rig, id), 'RINGING')
  t.false(rig.driver.last.isClosed)
  t.is(rig.driver.sessions.length, 1)
  t.deepEqual(rig.directory.stats(), { numbers: 1, calls: 1 })
  t.false(rig.rows.eventNames().includes('number.disconnected'))
})

test('a number taken during a pause is given up without a write', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  const before = rig.rows.eventNames()
  rig.rows.leases.set(numberId, { owner: newId('node'), token: 99 })
  rig.clock.stall(PAUSE_MS)
  await settled()
  t.true(rig.driver.last.isClosed)
  t.is(statusOf(rig, id), 'INITIATED')
  t.deepEqual(rig.rows.eventNames(), before)
  t.deepEqual(rig.directory.stats(), { numbers: 0, calls: 0 })
})
