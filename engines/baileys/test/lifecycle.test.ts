import test, { type ExecutionContext, registerCompletionHandler } from 'ava'
import { connectBridge } from './helpers/bridge-client.ts'
import { startEngineProcess, type EngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'
import { until } from '../../../test/helpers/until.ts'

registerCompletionHandler(() => process.exit())

const endings: (() => unknown)[] = []
/** A test context whose teardown runs after the last test of this file. */
const file = { teardown: (end: () => unknown) => void endings.unshift(end) } as ExecutionContext
/** One engine for all tests of this file. Each test uses its own number. */
let shared: Promise<{ network: Network; engine: EngineProcess }> | null = null

async function start() {
  const network = await networkFor(file)
  return { network, engine: await startEngineProcess(file, network, temporaryFolder(file)) }
}

test.after.always(async () => {
  for (const end of endings) await end()
})

function world() {
  shared ??= start()
  return shared
}

// [bridge.socket.2] [engines.baileys.8]
test('a wrong bearer is refused, and so is another path', async (t) => {
  const { engine } = await world()
  await t.throwsAsync(connectBridge(t, engine.port, 'num_a', 'another token of 16'), { message: /401/ })
  await t.throwsAsync(connectBridge(t, engine.port, 'num_a/b'), { message: /404/ })
})

// [bridge.socket.6]
test('unknown operations are refused as such, bad frames close the socket alone', async (t) => {
  const { engine } = await world()
  const client = await connectBridge(t, engine.port, 'num_unknown')
  t.is((await client.ask('toString')).error?.code, 'UNSUPPORTED')
  t.is((await client.ask('call.record')).error?.code, 'UNSUPPORTED')
  t.is((await client.ask('session.start', { number: 'x' })).error?.code, 'INVALID')
  t.is(
    (await client.ask('message.send', { messageId: 'm', to: '551188', content: { type: 'text', text: 'x' } })).error
      ?.code,
    'NOT_CONNECTED',
  )
})

// [engines.baileys-duties.3]
test('a second socket of a number takes its place; the first is told and closed with 4409', async (t) => {
  const { engine, network } = await world()
  const { client, credentials } = await linkNumber(t, network, engine.port, 'num_second', '5511999992001')
  const next = await connectBridge(t, engine.port, 'num_second')
  t.is(await client.closed, 4409)
  t.like(client.events.at(-1), { ev: 'session.state', state: 'CLOSE', reason: 'replaced' })
  const logins = network.statistics.logins
  await next.start({ number: '5511999992001', credentials })
  await next.state('OPEN')
  t.is(network.devices('5511999992001').length, 1)
  t.true(network.statistics.logins >= logins)
})

test('events that were not acknowledged come again, those that were do not', async (t) => {
  const { engine, network } = await world()
  const { client, credentials } = await linkNumber(t, network, engine.port, 'num_acks', '5511999992002')
  await network.phone('5511888882001').text('5511999992002', 'one')
  const one = await client.find(({ content }) => content?.text === 'one')
  client.ack(one.seq)
  await network.phone('5511888882001').text('5511999992002', 'two')
  const two = await client.find(({ content }) => content?.text === 'two')
  // The answer arrives only after the engine took in everything that came before the question.
  await client.ask('call.record')
  client.close()
  const next = await connectBridge(t, engine.port, 'num_acks')
  await next.start({ number: '5511999992002', credentials })
  t.is((await next.find(({ content }) => content?.text === 'two')).seq, two.seq)
  t.false(next.events.some(({ content }) => content?.text === 'one'))
  t.true(next.events.every(({ seq }) => seq > one.seq))
})

test('an acknowledgement beyond the last sent event removes nothing', async (t) => {
  const { engine, network } = await world()
  const { client, credentials } = await linkNumber(t, network, engine.port, 'num_lies', '5511999992003')
  client.ack(Number.MAX_SAFE_INTEGER)
  await client.ask('call.record')
  client.close()
  await network.phone('5511888882001').text('5511999992003', 'kept')
  const next = await connectBridge(t, engine.port, 'num_lies')
  next.ack(Number.MAX_SAFE_INTEGER)
  await next.start({ number: '5511999992003', credentials })
  await next.find(({ content }) => content?.text === 'kept')
  t.pass()
})

// [bridge.ops.2]
test('logout unlinks the device, and its credentials open nothing any more', async (t) => {
  const { engine, network } = await world()
  const { client, credentials } = await linkNumber(t, network, engine.port, 'num_logout', '5511999992004')
  t.true((await client.ask('session.logout')).ok)
  t.is((await client.state('CLOSE'))['reason'], 'logged_out')
  client.close()
  const next = await connectBridge(t, engine.port, 'num_logout')
  await next.start({ number: '5511999992004', credentials })
  t.is((await next.state('CLOSE'))['reason'], 'logged_out')
  t.is(network.devices('5511999992004').length, 0)
})

test('a gateway that reconnects right after it acknowledged the end of its session is told of the end once more', async (t) => {
  const { engine, network } = await world()
  const { client, credentials } = await linkNumber(t, network, engine.port, 'num_ended', '5511999992014')
  await client.ask('session.logout')
  const ended = await client.state('CLOSE')
  client.ack(ended.seq)
  // The answer arrives only after the engine took in the acknowledgements. The engine may still have them on disk.
  await client.ask('settings.set', { settings: {} })
  client.close()
  const next = await connectBridge(t, engine.port, 'num_ended')
  await next.start({ number: '5511999992014', credentials })
  const anew = await next.state('CLOSE')
  t.is(anew['reason'], 'logged_out')
  t.true(anew.seq > ended.seq)
})

test('a device unlinked on the phone is told as logged out, and a new scan links it again', async (t) => {
  const { engine, network } = await world()
  const { client } = await linkNumber(t, network, engine.port, 'num_remote', '5511999992005')
  network.phone('5511999992005').unlink()
  t.is((await client.state('CLOSE'))['reason'], 'logged_out')
  client.close()
  const { client: again } = await linkNumber(t, network, engine.port, 'num_remote', '5511999992005')
  t.true(again.events.some(({ ev }) => ev === 'session.credentials'))
})

test('a phone of another number is unlinked again', async (t) => {
  const { engine, network } = await world()
  const client = await connectBridge(t, engine.port, 'num_wrong')
  await client.start({ number: '5511999992006', credentials: null })
  const { qr } = await client.find(({ ev }) => ev === 'session.qr')
  await network.phone('5511999992007').scan(qr)
  t.is((await client.state('CLOSE'))['reason'], 'wrong_number')
  await until('the phone lists no device', () => network.devices('5511999992007').length === 0)
})

test('a phone of another number is told as wrong_number and as nothing else, also to a gateway that comes back with its credentials', async (t) => {
  const { engine, network } = await world()
  const client = await connectBridge(t, engine.port, 'num_stranger')
  await client.start({ number: '5511999992009', credentials: null })
  const { qr } = await client.find(({ ev }) => ev === 'session.qr')
  await network.phone('5511999992010').scan(qr)
  const { credentials } = await client.find(({ ev }) => ev === 'session.credentials')
  const closed = await client.state('CLOSE')
  await until('the phone lists no device', () => network.devices('5511999992010').length === 0)
  client.close()
  await client.closed
  const next = await connectBridge(t, engine.port, 'num_stranger')
  await next.start({ number: '5511999992009', credentials })
  t.is((await next.state('CLOSE')).seq, closed.seq)
  next.ackAll()
  // The answer arrives only after the engine took in everything that came before the question.
  await next.ask('call.record')
  const told = [...client.events, ...next.events].filter(({ ev, state }) => ev === 'session.state' && state === 'CLOSE')
  t.deepEqual(
    told.map(({ reason }) => reason),
    ['wrong_number', 'wrong_number'],
  )
})

test('a number is linked by a pairing code when the start asks for one', async (t) => {
  const { engine, network } = await world()
  const client = await connectBridge(t, engine.port, 'num_code')
  await client.start({ number: '5511999992008', credentials: null, pairingCode: true })
  const { pairingCode } = await client.find(({ ev }) => ev === 'session.qr')
  t.regex(pairingCode, /^[0-9A-Z]{8}$/)
  await network.phone('5511999992008').enterCode(pairingCode)
  await client.state('OPEN')
  t.true(client.events.some(({ ev }) => ev === 'session.credentials'))
})

test('a code to type is made only when it is asked for, and is shown with the code to scan that is there', async (t) => {
  const { engine, network } = await world()
  const client = await connectBridge(t, engine.port, 'num_asked')
  await client.start({ number: '5511999992011', credentials: null })
  const first = await client.find(({ ev }) => ev === 'session.qr')
  t.is(first['pairingCode'], null)
  t.true((await client.ask('session.pairing_code')).ok)
  const typed = await client.find(({ ev, pairingCode }) => ev === 'session.qr' && pairingCode !== null)
  t.is(typed['qr'], first['qr'])
  t.true(typed['expiresInMs'] <= first['expiresInMs'])
  t.true((await client.ask('session.pairing_code')).ok, 'asked twice')
  await network.phone('5511999992011').enterCode(typed['pairingCode'])
  await client.state('OPEN')
  t.is(
    client.events.filter(({ ev, pairingCode }) => ev === 'session.qr' && pairingCode !== null).length,
    1,
    'asking again changes nothing',
  )
})

test('a code to type that is asked for before the start has read its store is shown', async (t) => {
  const { engine, network } = await world()
  const number = '5511999992013'
  const client = await connectBridge(t, engine.port, 'num_early')
  const [, asked] = await Promise.all([client.start({ number, credentials: null }), client.ask('session.pairing_code')])
  t.true(asked.ok)
  const { pairingCode } = await client.find(({ ev }) => ev === 'session.qr')
  t.regex(String(pairingCode), /^[0-9A-Z]{8}$/)
  await network.phone(number).enterCode(pairingCode)
  await client.state('OPEN')
})

test('a code to type that nobody typed before the socket broke logs nobody in: another is shown, and can be typed', async (t) => {
  const { engine, network } = await world()
  const number = '5511999992012'
  const client = await connectBridge(t, engine.port, 'num_broken')
  await client.start({ number, credentials: null, pairingCode: true })
  const first = await client.find(({ ev, pairingCode }) => ev === 'session.qr' && pairingCode !== null)
  const { refusedLogins } = network.statistics
  // A client shows its code before the network knows it.
  await until('the network knows the code', () => network.isTypedAwaited(number))
  network.dropUnlinked(number)
  const next = await client.find(
    ({ ev, seq, pairingCode }) => ev === 'session.qr' && seq > first.seq && pairingCode !== null,
  )
  t.not(next['pairingCode'], first['pairingCode'])
  await network.phone(number).enterCode(next['pairingCode'])
  await client.state('OPEN')
  t.is(network.statistics.refusedLogins, refusedLogins)
  t.false(client.events.some(({ ev, state }) => ev === 'session.state' && state === 'CLOSE'))
})
