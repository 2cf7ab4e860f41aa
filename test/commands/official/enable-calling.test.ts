import test from 'ava'
import { createOfficialAccounts } from '../../../src/commands/official/official.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CallingOutcome } from '../../../src/ports/official/calling.ts'
import { BASE_URL, MINUTE_MS, openOfficialRig } from './official-rig.ts'

test('enabling stores what upstream says, and plans the next try unless it is done', async (t) => {
  const { world, number, store, upstream, credentials, official } = openOfficialRig()
  for (const [outcome, patch] of [
    [succeed<CallingOutcome>('ENABLED'), { callingStatus: 'ENABLED', isTokenValid: true, callingRetry: null }],
    [
      succeed<CallingOutcome>('PENDING_TIER'),
      { callingStatus: 'PENDING_TIER', isTokenValid: true, callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } },
    ],
    [
      succeed<CallingOutcome>('PENDING_WEBHOOK'),
      { callingStatus: 'PENDING_WEBHOOK', isTokenValid: true, callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } },
    ],
    [fail<CallingOutcome>(refuse('OFFICIAL_ERROR', 'away')), { callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } }],
  ] as const) {
    upstream.script = { 'calling.enable': () => outcome }
    t.deepEqual(
      await official.enableCalling({ tenantId: world.tenantId, numberId: number.id, credentials, triesBefore: 0 }),
      outcome,
    )
    t.deepEqual(store.patches.at(-1), patch)
  }
})

test('a mark in the answer is stored before the plan of the next try', async (t) => {
  const { world, number, store, credentials, ports } = openOfficialRig()
  const marked = Promise.withResolvers<void>()
  const official = createOfficialAccounts({ ...ports, marksStored: () => marked.promise })
  const enabling = official.enableCalling({
    tenantId: world.tenantId,
    numberId: number.id,
    credentials,
    triesBefore: 0,
  })
  await new Promise((resolve) => setImmediate(resolve))
  t.deepEqual(store.patches, [])
  marked.resolve()
  await enabling
  t.is(store.patches.length, 1)
})

// [official.calling.2]
test('a due try is made, later each time, and a missing field has the account subscribed first', async (t) => {
  const { number, store, upstream, wait, official, ops } = openOfficialRig()
  upstream.script = { 'calling.enable': () => succeed('PENDING_WEBHOOK') }
  await official.enableDue(() => true)
  t.deepEqual(ops(), [])
  wait({ callingStatus: 'PENDING_TIER', tries: 3 })
  await official.enableDue(() => true)
  t.deepEqual(ops(), ['calling.enable'])
  t.deepEqual(store.patches[0]?.callingRetry, { tries: 4, inMs: 180 * MINUTE_MS })
  wait({ callingStatus: 'PENDING_WEBHOOK', tries: 1 })
  await official.enableDue(() => true)
  t.deepEqual(ops(), ['calling.enable', 'subscription.subscribe', 'calling.enable'])
  t.deepEqual(upstream.asked[1]?.args.slice(1), [`${BASE_URL}/webhooks/official/${number.id}`, 'verify-me'])
})

test('one number that fails does not keep the next from its try', async (t) => {
  const { store, upstream, wait, official, ops } = openOfficialRig()
  upstream.script = {
    'calling.enable': () => {
      throw new Error('broken')
    },
  }
  wait()
  wait()
  await official.enableDue(() => true)
  t.deepEqual([ops().length, store.patches.length], [2, 0])
})

test('a stop leaves the tries that are still to be made to their lease', async (t) => {
  const { wait, official, ops } = openOfficialRig()
  wait()
  wait()
  await official.enableDue(() => ops().length === 0)
  t.deepEqual(ops(), ['calling.enable'])
})
