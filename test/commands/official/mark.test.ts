import test from 'ava'
import { createMarks } from '../../../src/commands/official/mark.ts'
import type { NumberMark } from '../../../src/domain/official.ts'
import { MINUTE_MS, openOfficialRig } from './official-rig.ts'

test('marks of upstream are stored once each, and a refused token wakes the number to say so', async (t) => {
  const {
    number,
    store,
    received,
    ports,
    credentials: { accessToken },
  } = openOfficialRig()
  const marks = createMarks(ports)
  const after = async (mark: NumberMark, phoneId = '1000') => {
    const before = store.patches.length
    marks.note(phoneId, mark, accessToken)
    await marks.stored()
    return store.patches.slice(before)
  }
  t.deepEqual(await after('PENDING_TIER'), [
    { callingStatus: 'PENDING_TIER', callingRetry: { tries: 1, inMs: 5 * MINUTE_MS } },
  ])
  t.deepEqual(await after('PENDING_TIER'), [], 'the plan of its retries stays')
  t.deepEqual(
    (await after('PENDING_WEBHOOK')).map(({ callingStatus }) => callingStatus),
    ['PENDING_WEBHOOK'],
  )
  t.deepEqual(await after('CALLING_DISABLED'), [], 'what waits goes on waiting')
  await store.save(number.tenantId, number.id, { callingStatus: 'ENABLED' })
  t.deepEqual(await after('CALLING_DISABLED'), [{ callingStatus: 'NOT_ENABLED' }])
  t.deepEqual(
    (await after('RESTRICTED')).map(({ sessionHealth }) => sessionHealth?.level),
    ['restricted'],
  )
  t.deepEqual(await after('RESTRICTED'), [])
  marks.note('1000', 'TOKEN_INVALID', 'one that was replaced meanwhile')
  await marks.stored()
  t.deepEqual(await after('TOKEN_INVALID'), [{ isTokenValid: false }])
  t.deepEqual(await after('TOKEN_INVALID'), [])
  t.deepEqual(received, [number.id], 'of a token that was replaced nothing is said')
  t.deepEqual(await after('TOKEN_INVALID', 'a phone of nobody'), [])
})

test('a mark that cannot be stored does not hold up the others', async (t) => {
  const {
    store,
    ports,
    credentials: { accessToken },
  } = openOfficialRig()
  const findByPhone = store.findByPhone.bind(store)
  store.findByPhone = (id) => (id === 'broken' ? Promise.reject(new Error('down')) : findByPhone(id))
  const marks = createMarks(ports)
  marks.note('broken', 'TOKEN_INVALID', accessToken)
  marks.note('1000', 'TOKEN_INVALID', accessToken)
  await marks.stored()
  t.deepEqual(store.patches, [{ isTokenValid: false }])
})
