import test from 'ava'
import { fail, refuse } from '../../../src/domain/errors.ts'
import { newId } from '../../../src/domain/ids.ts'
import { BASE_URL, openOfficialRig } from './official-rig.ts'

test('the account of a removed number is subscribed for another of the tenant, whatever upstream says to it', async (t) => {
  const { world, number, upstream, official, ops } = openOfficialRig()
  await official.handOver(world.tenantId, 'an account of nobody')
  await official.handOver(newId('ten'), '2000')
  t.deepEqual(ops(), [])
  upstream.script = { 'subscription.subscribe': () => fail(refuse('OFFICIAL_ERROR', 'away')) }
  await official.handOver(world.tenantId, '2000')
  t.deepEqual(upstream.asked[0]?.args.slice(1), [`${BASE_URL}/webhooks/official/${number.id}`, 'verify-me'])
})

test('a number can be removed although rows of its account cannot be read', async (t) => {
  const { world, official, ops } = openOfficialRig()
  world.numbers.list = () => Promise.reject(new Error('down'))
  await official.handOver(world.tenantId, '2000')
  t.deepEqual(ops(), [])
})
