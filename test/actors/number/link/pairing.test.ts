import test from 'ava'
import { fail, refuse, succeed } from '../../../../src/domain/errors.ts'
import type { NumberId } from '../../../../src/domain/ids.ts'
import { NO_CODE } from '../../../../src/domain/pairing.ts'
import { createRig, pass, settled } from '../../rig.ts'
import type { Rig } from '../../rig.ts'

const code = (qr: string) => ({ type: 'qr', qr, pairingCode: null, expiresInMs: 60_000 }) as const
const connecting = (reason: string | null = null) => ({ type: 'state', state: 'CONNECTING', reason }) as const
const closed = (reason: string) => ({ type: 'state', state: 'CLOSE', reason }) as const

/** A number that shows its first code. */
async function pairing(): Promise<{
  rig: Rig
  numberId: NumberId
  raise: Rig['driver']['last']['raise']
  row: () => object
}> {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  rig.driver.onOpen = (session) => void session.raise(code('qr-1'))
  await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  return {
    rig,
    numberId,
    raise: (event) => rig.driver.last.raise(event),
    row: () => ({ ...rig.rows.numbers.get(numberId), ...rig.rows.connectionOf(numberId) }),
  }
}

// [pairing.routes.8]
test('a code is withdrawn at once when a phone accepted it, and whoever pairs meanwhile waits for no other', async (t) => {
  const { rig, numberId, raise } = await pairing()
  t.like(await rig.directory.askNumber(numberId, 'CurrentCode', {}), { value: { qr: 'qr-1' } })
  raise(connecting())
  t.deepEqual(await rig.directory.askNumber(numberId, 'CurrentCode', {}), succeed(NO_CODE))
  t.deepEqual(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), succeed(NO_CODE))
  raise(code('qr-2'))
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), { value: { qr: 'qr-2' } })
  t.is(rig.driver.sessions.length, 1)
})

test('a caller that waits for the next code when a phone accepts the last one is told that there is no code', async (t) => {
  const { rig, numberId, raise } = await pairing()
  raise({ ...code('qr-2'), expiresInMs: 1_000 })
  await settled()
  rig.clock.advance(1_000)
  const waiting = rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  await settled()
  raise(connecting())
  t.deepEqual(await waiting, succeed(NO_CODE))
})

test('an engine that says that it connects before it showed a code withdraws none', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const waiting = rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  await settled()
  rig.driver.last.raise(connecting())
  rig.driver.last.raise(code('qr-1'))
  t.like(await waiting, { value: { qr: 'qr-1' } })
})

// [pairing.routes.7]
test("a phone's request for a passkey is kept until pairing continues, and is settled only then", async (t) => {
  const { rig, raise, row } = await pairing()
  raise(connecting())
  rig.rows.failing = 1
  const seq = raise(connecting('passkey_required'))
  await settled(6)
  t.false(rig.driver.last.settled.includes(seq))
  rig.clock.advance(1_000)
  await settled()
  t.true(rig.driver.last.settled.includes(seq))
  t.like(row(), { state: 'CONNECTING', pairingReason: 'PASSKEY_REQUIRED' })
  rig.driver.last.linkDown()
  await settled()
  t.like(row(), { pairingReason: 'PASSKEY_REQUIRED' })
  raise(connecting())
  await settled()
  t.like(row(), { state: 'CONNECTING', pairingReason: null })
  raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.like(row(), { state: 'OPEN', pairingReason: null })
})

for (const next of ['a new code', 'OPEN'] as const) {
  test(`a passkey that was asked for is forgotten with ${next}`, async (t) => {
    const { raise, row } = await pairing()
    raise(connecting('passkey_required'))
    await settled()
    raise(next === 'OPEN' ? { type: 'state', state: 'OPEN', reason: null } : code('qr-2'))
    await settled()
    t.like(row(), { pairingReason: null })
  })
}

test('asking for a code while a phone waits for its passkey starts over: a new session shows a code', async (t) => {
  const { rig, numberId, raise, row } = await pairing()
  raise(connecting('passkey_required'))
  await settled()
  rig.driver.onOpen = (session) => void session.raise(code('qr-again'))
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), { value: { qr: 'qr-again' } })
  t.is(rig.driver.sessions.length, 2)
  await settled()
  t.like(row(), { state: 'CONNECTING', pairingReason: null })
})

test('a phone with another number leaves nothing of its pairing', async (t) => {
  const { rig, raise, row } = await pairing()
  raise(connecting())
  raise({ type: 'credentials', credentials: 'of another number' })
  await settled()
  t.like(row(), { credentials: 'of another number' })
  raise(closed('wrong_number'))
  await settled()
  t.like(row(), { state: 'CLOSE', credentials: null, pairingReason: 'WRONG_NUMBER' })
  t.is(rig.rows.consumed, 0)
  t.deepEqual(rig.rows.eventNames(), [])
  t.true(rig.driver.last.isClosed)
})

for (const [reason, kept] of [
  ['qr_expired', 'QR_EXPIRED'],
  ['banned', 'BANNED'],
  ['logged_out', null],
] as const) {
  test(`a pairing that ended with ${reason} leaves ${kept ?? 'no reason'}, which outlives its actor and ends with the next attempt`, async (t) => {
    const { rig, numberId, raise, row } = await pairing()
    raise(closed(reason))
    await settled()
    t.like(row(), { state: 'CLOSE', pairingReason: kept })
    await rig.directory.stop()
    const next = createRig({ rows: rig.rows })
    await next.directory.askNumber(numberId, 'CurrentCode', {})
    t.like(row(), { state: 'CLOSE', pairingReason: kept })
    next.driver.onOpen = (session) => void session.raise(code('qr-2'))
    await next.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
    t.like(row(), { state: 'CONNECTING', pairingReason: null })
  })
}

test('an attempt that its node lost leaves no reason, and logging out takes it', async (t) => {
  const { rig, numberId, raise, row } = await pairing()
  raise(closed('qr_expired'))
  await settled()
  await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  rig.driver.last.raise(connecting('passkey_required'))
  await settled()
  t.like(row(), { pairingReason: 'PASSKEY_REQUIRED' })
  await rig.directory.askNumber(numberId, 'Logout', {})
  t.like(row(), { state: 'CLOSE', pairingReason: null })

  const lost = createRig()
  const lostId = lost.rows.addNumber({ state: 'CONNECTING', pairingReason: 'PASSKEY_REQUIRED' })
  await lost.directory.askNumber(lostId, 'CurrentCode', {})
  t.like(lost.rows.numbers.get(lostId), { state: 'CLOSE', pairingReason: null })
})

test('two who pair at once share one session and its codes', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const both = [1, 2].map(() => rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }))
  await settled()
  rig.driver.last.raise(code('qr-1'))
  for (const answer of await Promise.all(both)) t.like(answer, { value: { qr: 'qr-1' } })
  rig.driver.last.raise(connecting())
  rig.driver.last.raise({ type: 'credentials', credentials: 'blob' })
  t.deepEqual(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), succeed(NO_CODE))
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), {
    ok: false,
    error: { code: 'ALREADY_CONNECTED' },
  })
  t.is(rig.driver.sessions.length, 1)
})

// [numbers.routes.5]
test('a code to type is asked for only by whoever wants one, once, and he waits for it while others get what there is to scan', async (t) => {
  const { rig, numberId, raise } = await pairing()
  const ask = (isTyped: boolean) => rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000, isTyped })
  t.like(await ask(false), { value: { qr: 'qr-1', pairingCode: null } })
  t.false(rig.driver.last.asked.includes('pairing code'))
  const both = [ask(true), ask(true)]
  await settled()
  t.like(await ask(false), { value: { qr: 'qr-1', pairingCode: null } })
  raise(code('qr-2'))
  raise({ ...code('qr-2'), pairingCode: 'ABCD1234' })
  for (const one of both) t.like(await one, { value: { qr: 'qr-2', pairingCode: 'ABCD1234' } })
  t.like(await ask(true), { value: { pairingCode: 'ABCD1234' } })
  t.is(rig.driver.last.asked.filter((asked) => asked === 'pairing code').length, 1)
})

test('a number that does not pair yet is opened for whoever wants a code to type, which is asked of its session', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const waiting = rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000, isTyped: true })
  await settled()
  t.true(rig.driver.last.asked.includes('pairing code'))
  rig.driver.last.raise(code('qr-1'))
  rig.driver.last.raise({ ...code('qr-1'), pairingCode: 'ABCD1234' })
  t.like(await waiting, { value: { qr: 'qr-1', pairingCode: 'ABCD1234' } })
})

test('when the engine supports no code to type, a caller that wants one gets the code to scan at once', async (t) => {
  const { rig, numberId, raise } = await pairing()
  rig.driver.last.pairingCodeAnswer = () => fail(refuse('DEVICE_NETWORK_ERROR', 'UNSUPPORTED'))
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000, isTyped: true }), {
    value: { qr: 'qr-1', pairingCode: null },
  })
  raise(code('qr-2'))
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000, isTyped: true }), {
    value: { qr: 'qr-2', pairingCode: null },
  })
  t.is(
    rig.driver.last.asked.filter((asked) => asked === 'pairing code').length,
    2,
    'asked again: it may have been away',
  )
})

test('a code to type that does not come in time leaves what there is to scan', async (t) => {
  const { rig, numberId } = await pairing()
  const waiting = rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000, isTyped: true })
  await settled()
  await pass(rig, 10_000)
  t.like(await waiting, { value: { qr: 'qr-1', pairingCode: null } })
})
