import test from 'ava'
import { createNumber } from '../../../src/commands/numbers/create.ts'
import { logout } from '../../../src/commands/numbers/logout.ts'
import { patchNumber } from '../../../src/commands/numbers/patch.ts'
import { removeNumber } from '../../../src/commands/numbers/remove.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { NO_CODE } from '../../../src/domain/pairing.ts'
import type { PairingCode } from '../../../src/domain/pairing.ts'
import { World } from '../../helpers/world.ts'
import { silentLog } from '../../helpers/silent.ts'
import { openOfficialRig } from '../official/official-rig.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const CODE: PairingCode = { qr: '2@text', pairingCode: 'ABCD-1234', expiresInMs: 20_000 }
const AWAY = refuse('DEVICE_NETWORK_ERROR', 'away')

test('a new number has the defaults, and the first code when it came soon enough', async (t) => {
  const world = new World()
  const create = (digits: string, pairing: Outcome<PairingCode>) =>
    createNumber(
      { numbers: world.numbers, askPair: async () => pairing, log: silentLog },
      { tenantId: world.tenantId, name: 'Desk', number: digits, settings: { rejectCall: true }, retention: {} },
    )
  const { number, code } = valueOf(await create('5511900000001', succeed(CODE)))
  t.like(number, {
    provider: 'UNOFFICIAL',
    piiMode: 'STORE_INDEFINITE',
    settings: { rejectCall: true, alwaysOnline: null },
  })
  t.deepEqual(code, CODE)
  t.deepEqual(valueOf(await create('5511900000002', fail(AWAY))).code, NO_CODE)
  t.is(codeOf(await create('5511900000001', succeed(CODE))), 'NUMBER_ALREADY_EXISTS')
})

test('a patch keeps what is absent, and a session hears of settings and retention alone', async (t) => {
  const { world, official: officialCommands } = openOfficialRig()
  const applied: unknown[] = []
  const deps = {
    numbers: world.numbers,
    log: silentLog,
    officialCommands,
    askApplySettings: async (_: string, fields: unknown) => {
      applied.push(fields)
      return fail<null>(AWAY)
    },
  }
  const number = valueOf(await patchNumber(deps, { number: world.number, name: 'New' }))
  t.deepEqual([number.name, number.settings, applied.length], ['New', world.number.settings, 0])
  t.deepEqual(valueOf(await patchNumber(deps, { number })), number)
  const kept = valueOf(
    await patchNumber(deps, {
      number,
      settings: { rejectCall: true },
      retention: { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 },
    }),
  )
  t.like(kept, { name: 'New', piiMode: 'STORE_X_DAYS', piiRetentionDays: 7, settings: { rejectCall: true } })
  t.deepEqual(applied, [{ settings: kept.settings, piiMode: 'STORE_X_DAYS' }])
  t.is(codeOf(await patchNumber(deps, { number, retention: { piiMode: 'STORE_X_DAYS' } })), 'VALIDATION')
  world.numbers.rows.delete(number.id)
  t.is(codeOf(await patchNumber(deps, { number, name: 'Late' })), 'NUMBER_NOT_FOUND')
})

test('a number is removed once its session is over, and its keys with it', async (t) => {
  const { world, number, official: officialCommands } = openOfficialRig()
  const revoked: string[] = []
  const remove = (ended: Outcome<null>) =>
    removeNumber(
      {
        numbers: world.numbers,
        officialCommands,
        askRemove: async () => ended,
        revokeCallers: async (id) => void revoked.push(id),
      },
      number,
    )
  t.is(codeOf(await remove(fail(AWAY))), 'DEVICE_NETWORK_ERROR')
  t.true(world.numbers.rows.has(number.id))
  t.is(codeOf(await remove(succeed(null))), null)
  t.false(world.numbers.rows.has(number.id))
  t.deepEqual(revoked, [number.id])
})

test('a logout answers the number as its session left it', async (t) => {
  const world = new World()
  const ask = (answer: Outcome<null>) => logout({ numbers: world.numbers, askLogout: async () => answer }, world.number)
  t.is(codeOf(await ask(fail(AWAY))), 'DEVICE_NETWORK_ERROR')
  t.is(valueOf(await ask(succeed(null))).id, world.number.id)
  world.numbers.rows.delete(world.number.id)
  t.is(codeOf(await ask(succeed(null))), 'NUMBER_NOT_FOUND')
})
