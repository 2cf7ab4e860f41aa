import test from 'ava'
import { createOfficialAccounts } from '../../../src/commands/official/official.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { codeOf, valueOf } from '../outcomes.ts'
import { openOfficialRig } from './official-rig.ts'

const AWAY = () => fail<never>(refuse('OFFICIAL_ERROR', 'away'))

test('a refresh stores what the upstream says, and follows calling that was switched elsewhere', async (t) => {
  const { number, store, upstream, official } = openOfficialRig()
  upstream.script = { 'calling.readSettings': () => succeed({ status: 'DISABLED' }) }
  t.is(valueOf(await official.refresh(number)).official?.callingStatus, 'NOT_ENABLED')
  const waiting = await store.save(number.tenantId, number.id, { callingStatus: 'PENDING_TIER' })
  t.is(valueOf(await official.refresh(waiting ?? number)).official?.callingStatus, 'PENDING_TIER')
  upstream.script = {}
  t.is(valueOf(await official.refresh(number)).official?.callingStatus, 'ENABLED')
  t.is(store.patches.at(-1)?.callingRetry, null)
})

test('a refused token is the answer as a number that cannot send; any other failure is the answer itself', async (t) => {
  const { number, store, upstream, ports, official } = openOfficialRig()
  upstream.script = { 'health.read': AWAY, 'calling.readSettings': AWAY }
  t.is(codeOf(await official.refresh(number)), 'OFFICIAL_ERROR')
  const marksStored = async () => void (await store.save(number.tenantId, number.id, { isTokenValid: false }))
  t.false(valueOf(await createOfficialAccounts({ ...ports, marksStored }).refresh(number)).official?.isTokenValid)
})

test('a number without credentials, or gone meanwhile, is not found', async (t) => {
  const { world, number, store, ports, official } = openOfficialRig()
  const marksStored = async () => void world.numbers.rows.delete(number.id)
  t.is(codeOf(await createOfficialAccounts({ ...ports, marksStored }).refresh(number)), 'NUMBER_NOT_FOUND')
  store.secrets.delete(number.id)
  t.is(codeOf(await official.refresh(number)), 'NUMBER_NOT_FOUND')
})
