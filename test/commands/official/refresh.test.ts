import test from 'ava'
import { refresh } from '../../../src/commands/official/refresh.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { codeOf, valueOf } from '../outcomes.ts'
import { openOfficialRig } from './official-rig.ts'

const AWAY = () => fail<never>(refuse('OFFICIAL_ERROR', 'away'))

test('what upstream says is stored, and calling that was switched elsewhere followed', async (t) => {
  const { number, store, upstream, deps } = openOfficialRig()
  upstream.script = { 'calling.readSettings': () => succeed({ status: 'DISABLED' }) }
  t.is(valueOf(await refresh(deps, number)).official?.callingStatus, 'NOT_ENABLED')
  const waiting = await store.save(number.tenantId, number.id, { callingStatus: 'PENDING_TIER' })
  t.is(valueOf(await refresh(deps, waiting ?? number)).official?.callingStatus, 'PENDING_TIER')
  upstream.script = {}
  t.is(valueOf(await refresh(deps, number)).official?.callingStatus, 'ENABLED')
  t.is(store.patches.at(-1)?.callingRetry, null)
})

test('a refused token is the answer as a number that cannot send; any other failure is the answer itself', async (t) => {
  const { number, store, upstream, deps } = openOfficialRig()
  upstream.script = { 'health.read': AWAY, 'calling.readSettings': AWAY }
  t.is(codeOf(await refresh(deps, number)), 'OFFICIAL_ERROR')
  const marksStored = async () => void (await store.save(number.tenantId, number.id, { isTokenValid: false }))
  t.false(valueOf(await refresh({ ...deps, marksStored }, number)).official?.isTokenValid)
})

test('a number without credentials, or gone meanwhile, is not found', async (t) => {
  const { world, number, store, deps } = openOfficialRig()
  t.is(
    codeOf(await refresh({ ...deps, marksStored: async () => void world.numbers.rows.delete(number.id) }, number)),
    'NUMBER_NOT_FOUND',
  )
  store.secrets.delete(number.id)
  t.is(codeOf(await refresh(deps, number)), 'NUMBER_NOT_FOUND')
})
