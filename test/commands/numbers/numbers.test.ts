import test from 'ava'
import { fail, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { NO_CODE } from '../../../src/domain/pairing.ts'
import type { PairingCode } from '../../../src/domain/pairing.ts'
import { codeOf, valueOf } from '../outcomes.ts'
import { AWAY, openNumberRig } from './number-rig.ts'

const CODE: PairingCode = { qr: '2@text', pairingCode: 'ABCD-1234', expiresInMs: 20_000 }

test('a new number has the defaults, and the first code when it came soon enough', async (t) => {
  let pairing: Outcome<PairingCode> = succeed(CODE)
  const { world, numbers } = openNumberRig({ askPair: async () => pairing })
  const create = (digits: string) =>
    numbers.create({
      tenantId: world.tenantId,
      name: 'Desk',
      number: digits,
      settings: { rejectCall: true },
      retention: {},
    })
  const { number, code } = valueOf(await create('5511900000001'))
  t.like(number, {
    provider: 'UNOFFICIAL',
    piiMode: 'STORE_INDEFINITE',
    settings: { rejectCall: true, alwaysOnline: null },
  })
  t.deepEqual(code, CODE)
  t.is(codeOf(await create('5511900000001')), 'NUMBER_ALREADY_EXISTS')
  pairing = fail(AWAY)
  t.deepEqual(valueOf(await create('5511900000002')).code, NO_CODE)
})

test('a patch keeps absent fields, and a session is only told of settings and retention', async (t) => {
  const { world, numbers, applied } = openNumberRig()
  const number = valueOf(await numbers.patch({ number: world.number, name: 'New' }))
  t.deepEqual([number.name, number.settings, applied.length], ['New', world.number.settings, 0])
  t.deepEqual(valueOf(await numbers.patch({ number })), number)
  const kept = valueOf(
    await numbers.patch({
      number,
      settings: { rejectCall: true },
      retention: { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 },
    }),
  )
  t.like(kept, { name: 'New', piiMode: 'STORE_X_DAYS', piiRetentionDays: 7, settings: { rejectCall: true } })
  t.deepEqual(applied, [{ settings: kept.settings, piiMode: 'STORE_X_DAYS' }])
  t.is(codeOf(await numbers.patch({ number, retention: { piiMode: 'STORE_X_DAYS' } })), 'VALIDATION')
  world.numbers.rows.delete(number.id)
  t.is(codeOf(await numbers.patch({ number, name: 'Late' })), 'NUMBER_NOT_FOUND')
})

test('a number is removed once its session is over, and its keys with it', async (t) => {
  let ended: Outcome<null> = fail(AWAY)
  const { world, number, numbers, revoked } = openNumberRig({ askRemove: async () => ended })
  t.is(codeOf(await numbers.remove(number)), 'DEVICE_NETWORK_ERROR')
  t.true(world.numbers.rows.has(number.id))
  ended = succeed(null)
  t.is(codeOf(await numbers.remove(number)), null)
  t.false(world.numbers.rows.has(number.id))
  t.deepEqual(revoked, [number.id])
})

test('a logout answers with the number as its session left it', async (t) => {
  let closed: Outcome<null> = fail(AWAY)
  const { world, numbers } = openNumberRig({ askLogout: async () => closed })
  t.is(codeOf(await numbers.logout(world.number)), 'DEVICE_NETWORK_ERROR')
  closed = succeed(null)
  t.is(valueOf(await numbers.logout(world.number)).id, world.number.id)
  world.numbers.rows.delete(world.number.id)
  t.is(codeOf(await numbers.logout(world.number)), 'NUMBER_NOT_FOUND')
})
