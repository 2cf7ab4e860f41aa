import test from 'ava'
import { fail, refuse, succeed } from '../src/domain/errors.ts'
import { newId } from '../src/domain/ids.ts'
import { createOfficialUpkeep } from '../src/official-upkeep.ts'
import type { CallingOutcome } from '../src/ports/official-platform.ts'
import type { DueCalling } from '../src/ports/stores/official-store.ts'
import { World } from './helpers/http-app.ts'
import { silentLog } from './helpers/silent.ts'
import { until } from './helpers/until.ts'

const MINUTE_MS = 60_000

/** Upkeep over the tests' world; what is due is put in by hand. */
function open() {
  const world = new World()
  const { number } = world.addOfficial()
  const { store, upstream, inbound } = world.official
  let due: DueCalling[] = []
  let hastened = 0
  Object.assign(store, {
    takeDueCalling: async () => due.splice(0),
    hastenCalling: async () => hastened,
  })
  const received: string[] = []
  const upkeep = createOfficialUpkeep({
    platform: upstream.platform, store, inbound, numbers: world.numbers, clock: world.clock, log: silentLog,
    webhookUrlOf: (id) => `https://gw.example/webhooks/official/${id}`, receive: async (id) => void received.push(id),
  })
  const credentials = store.secrets.get(number.id)?.credentials
  if (!credentials) throw new Error('no credentials')
  const wait = (fields: Partial<DueCalling> = {}) => {
    due.push({ tenantId: world.tenantId, numberId: number.id, callingStatus: 'PENDING_TIER', tries: 1, credentials, verifyToken: 'verify-me', ...fields })
  }
  return { world, number, store, upstream, upkeep, received, credentials, wait, hasten: (count: number) => { hastened = count }, ops: () => upstream.asked.map(({ op }) => op) }
}

test('enabling stores what upstream says, and plans the next try unless it is done', async (t) => {
  const { world, number, store, upstream, upkeep, credentials } = open()
  for (const [outcome, patch] of [
    [succeed<CallingOutcome>('ENABLED'), { callingStatus: 'ENABLED', isTokenValid: true, callingRetry: null }],
    [succeed<CallingOutcome>('PENDING_TIER'), { callingStatus: 'PENDING_TIER', isTokenValid: true, callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } }],
    [succeed<CallingOutcome>('PENDING_WEBHOOK'), { callingStatus: 'PENDING_WEBHOOK', isTokenValid: true, callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } }],
    [fail<CallingOutcome>(refuse('OFFICIAL_ERROR', 'away')), { callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } }],
  ] as const) {
    upstream.script = { enableCalling: () => outcome }
    await upkeep.enable(world.tenantId, number.id, credentials)
    t.deepEqual(store.patches.at(-1), patch)
  }
})

test('a due try is made every half minute, later each time, and a missing field has the account subscribed first', async (t) => {
  const { world, number, store, upstream, upkeep, wait, ops } = open()
  upstream.script = { enableCalling: () => succeed('PENDING_WEBHOOK') }
  upkeep.start()
  wait({ callingStatus: 'PENDING_TIER', tries: 3 })
  t.deepEqual(ops(), [])
  world.clock.advance(30_000)
  await until('the tier was tried', () => store.patches.length === 1)
  t.deepEqual(ops(), ['enableCalling'])
  t.deepEqual(store.patches[0]?.callingRetry, { tries: 4, inMs: 180 * MINUTE_MS })
  wait({ callingStatus: 'PENDING_WEBHOOK', tries: 1 })
  await until('the next round is planned and made', () => {
    world.clock.advance(30_000)
    return store.patches.length === 2
  })
  t.deepEqual(ops(), ['enableCalling', 'subscribe', 'enableCalling'])
  t.deepEqual(upstream.asked[1]?.args.slice(1), [`https://gw.example/webhooks/official/${number.id}`, 'verify-me'])
  await upkeep.stop()
})

test('a risen tier is tried at once, and only where something waits', async (t) => {
  const { world, store, upkeep, wait, hasten, ops } = open()
  upkeep.start()
  wait()
  upkeep.hasten(world.tenantId, '2000')
  await new Promise((resolve) => setImmediate(resolve))
  world.clock.advance(0)
  await new Promise((resolve) => setImmediate(resolve))
  t.deepEqual(ops(), [], 'nothing of the account waits')
  hasten(1)
  upkeep.hasten(world.tenantId, '2000')
  await until('it was tried', () => {
    world.clock.advance(0)
    return store.patches.length === 1
  })
  t.deepEqual(ops(), ['enableCalling'])
  await upkeep.stop()
})

test('one number that fails does not keep the next from its try, and stopping ends the rounds', async (t) => {
  const { world, store, upkeep, wait, upstream, ops } = open()
  upstream.script = { enableCalling: () => { throw new Error('broken') } }
  upkeep.start()
  wait()
  wait()
  world.clock.advance(30_000)
  await until('both were tried', () => ops().length === 2)
  await upkeep.stop()
  wait()
  world.clock.advance(600_000)
  await upkeep.marksStored()
  t.deepEqual([ops().length, store.patches.length], [2, 0])
})

test('marks of upstream are stored once each, and a refused token wakes the number to say so', async (t) => {
  const { number, store, upkeep, received } = open()
  const after = async (mark: Parameters<typeof upkeep.mark>[1], phoneId = '1000') => {
    const before = store.patches.length
    upkeep.mark(phoneId, mark)
    await upkeep.marksStored()
    return store.patches.slice(before)
  }
  t.deepEqual(await after('PENDING_TIER'), [{ callingStatus: 'PENDING_TIER', callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } }])
  t.deepEqual(await after('PENDING_TIER'), [], 'the plan of its retries stays')
  t.deepEqual((await after('PENDING_WEBHOOK')).map(({ callingStatus }) => callingStatus), ['PENDING_WEBHOOK'])
  t.deepEqual(await after('CALLING_DISABLED'), [], 'what waits goes on waiting')
  await store.save(number.tenantId, number.id, { callingStatus: 'ENABLED' })
  t.deepEqual(await after('CALLING_DISABLED'), [{ callingStatus: 'NOT_ENABLED' }])
  t.deepEqual(await after('TOKEN_INVALID'), [{ isTokenValid: false }])
  t.deepEqual(await after('TOKEN_INVALID'), [])
  t.deepEqual(received, [number.id])
  t.deepEqual(await after('TOKEN_INVALID', 'a phone of nobody'), [])
})

test('the account of a removed number is subscribed for another of the tenant, whatever upstream says to it', async (t) => {
  const { world, number, upstream, upkeep, ops } = open()
  await upkeep.handOver(world.tenantId, 'an account of nobody')
  await upkeep.handOver(newId('ten'), '2000')
  t.deepEqual(ops(), [])
  upstream.script = { subscribe: () => fail(refuse('OFFICIAL_ERROR', 'away')) }
  await upkeep.handOver(world.tenantId, '2000')
  t.deepEqual(upstream.asked[0]?.args.slice(1), [`https://gw.example/webhooks/official/${number.id}`, 'verify-me'])
})
