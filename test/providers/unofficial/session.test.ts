import test from 'ava'
import { PROVIDER_REQUEST_MS } from '../../../src/domain/limits.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import { LINK_WAIT_MS } from '../../../src/providers/unofficial/engine-requests.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { createUnofficialDriver } from '../../../src/providers/unofficial/driver.ts'
import { oneEngine } from '../../../src/providers/unofficial/engines.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { ScriptedEngine } from '../scripted-engine.ts'
import { probe, sequenced, specOf } from '../session-probe.ts'

// [bridge.socket.2] [bridge.ops.1]
test('a session introduces itself and starts on each connection', async (t) => {
  const { number, told, engine } = await probe(t, {
    settings: { ...DEFAULT_SETTINGS, rejectCall: true },
    historyImport: true,
  })
  await until('the session is up', () => told.some((event) => event.type === 'linkUp'))
  t.is(number.lastHeaders['authorization'], `Bearer ${engine.token}`)
  number.drop()
  await until('it started again', () => number.opsOf('session.start').length === 2)
  t.like(number.opsOf('session.start')[1], {
    number: '5511900000000',
    credentials: null,
    historyImport: true,
    settings: {
      rejectCall: true,
      msgRejectCall: null,
      alwaysOnline: null,
      readMessages: null,
      ignoreGroups: null,
      ignoreStatus: true,
    },
  })
  t.notRegex(JSON.stringify(number.opsOf('session.start')), /ignoreNewsletters/, 'settings of ours stay here')
})

test('link changes are told once each', async (t) => {
  const { number, told } = await probe(t)
  await until('up', () => told.length === 1)
  number.drop()
  await until('up again', () => told.length === 3)
  t.deepEqual(
    told.map((event) => event.type),
    ['linkUp', 'linkDown', 'linkUp'],
  )
})

test('a reconnect carries the current credentials and settings', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit({ ev: 'session.credentials', credentials: 'blob-2' })
  await until('credentials are told', () => told.some((event) => event.type === 'credentials'))
  t.true((await session.applySettings({ ...DEFAULT_SETTINGS, alwaysOnline: true }, false)).ok)
  number.drop()
  await until('it started again', () => number.opsOf('session.start').length === 2)
  t.like(number.opsOf('session.start')[1], { credentials: 'blob-2', settings: { alwaysOnline: true } })
})

test('credentials may be any JSON value, and the engine gets back what it gave', async (t) => {
  for (const given of [{ keys: ['a', 1], ratchet: { step: 2 } }, ['x'], 7, 'json:looks like ours', 'plain']) {
    const { number, told } = await probe(t)
    await until('up', () => told.length === 1)
    number.emit({ ev: 'session.credentials', credentials: given as string })
    const kept = await until('credentials are told', () => told.find((event) => event.type === 'credentials'))
    t.is(typeof (kept as { credentials: unknown }).credentials, 'string')
    number.drop()
    await until('it started again', () => number.opsOf('session.start').length === 2)
    t.deepEqual(number.opsOf('session.start')[1]?.['credentials'], given)
  }
})

// [bridge.socket.4] [bridge.events.1] [bridge.events.2] [bridge.events.3] [bridge.events.6] [bridge.events.7]
// [bridge.events.8] [bridge.events.9]
test('each kind of event is told in our words', async (t) => {
  const { number, told } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit({ ev: 'session.qr', qr: 'QR1', pairingCode: 'ABCD1234', expiresInMs: 60_000 })
  number.emit({ ev: 'session.state', state: 'CLOSE', reason: 'network' })
  number.emit({ ev: 'session.credentials', credentials: 'blob' })
  number.emit({
    ev: 'call.incoming',
    callId: 'c1',
    from: '+55 11 98888-0001',
    media: { kind: 'webrtc', sdp: 'v=0 offer' },
  })
  number.emit({ ev: 'call.ringing', callId: 'c2' })
  number.emit({ ev: 'call.answered', callId: 'c2', media: { kind: 'webrtc', sdp: 'v=0 answer' } })
  number.emit({ ev: 'call.ended', callId: 'c2', reason: 'declined' })
  number.emit({ ev: 'message.status', externalMessageId: 'm1', status: 'SENT', timestamp: 1_752_583_107_000 })
  await until('all are told', () => told.length === 9)
  t.deepEqual(told.slice(1), [
    { type: 'qr', seq: 1, qr: 'QR1', pairingCode: 'ABCD1234', expiresInMs: 60_000 },
    { type: 'state', seq: 2, state: 'CLOSE', reason: 'network' },
    { type: 'credentials', seq: 3, credentials: 'blob' },
    { type: 'incomingCall', seq: 4, externalCallId: 'c1', from: '5511988880001', sdp: 'v=0 offer' },
    { type: 'callRinging', seq: 5, externalCallId: 'c2' },
    { type: 'callAnswered', seq: 6, externalCallId: 'c2', sdp: 'v=0 answer' },
    { type: 'callEnded', seq: 7, externalCallId: 'c2', reason: 'declined' },
    {
      type: 'messageStatus',
      seq: 8,
      externalMessageId: 'm1',
      messageId: null,
      status: 'SENT',
      failure: null,
      at: new Date(1_752_583_107_000),
    },
  ])
})

// [bridge.socket.3] [bridge.ops.9] [bridge.ops.10]
test("requests carry their fields and give the engine's results", async (t) => {
  const { number, session, engine } = await probe(t)
  engine.onRequest = ({ op }) => {
    if (op === 'call.offer') return { result: { callId: 'c9', extra: 1 } }
    if (op === 'message.send') return { result: { externalMessageId: 'm9' } }
    return undefined
  }
  t.deepEqual(await session.offerCall('5511988880001', 'v=0'), { ok: true, value: { externalCallId: 'c9' } })
  t.deepEqual(await session.sendText('5511988880001', 'hi', 'msg_1'), { ok: true, value: { externalMessageId: 'm9' } })
  t.deepEqual(await session.acceptCall('c1', 'v=0 a'), { ok: true, value: null })
  t.true((await session.logout()).ok)
  t.like(number.opsOf('call.offer')[0], { to: '5511988880001', media: { kind: 'webrtc', sdp: 'v=0' } })
  t.like(number.opsOf('message.send')[0], {
    messageId: 'msg_1',
    to: '5511988880001',
    content: { type: 'text', text: 'hi' },
  })
  t.like(number.opsOf('call.accept')[0], { callId: 'c1', media: { kind: 'webrtc', sdp: 'v=0 a' } })
})

// [bridge.socket.3]
test('engine refusals become ours by the table', async (t) => {
  const { session, engine } = await probe(t)
  const codeFor = async (code: string): Promise<unknown> => {
    engine.onRequest = ({ op }) => (op === 'session.start' ? undefined : { error: { code, message: 'why' } })
    const outcome = await session.offerCall('1', 'v=0')
    return outcome.ok ? 'ok' : outcome.error.code
  }
  t.is(await codeFor('NOT_REGISTERED'), 'CALL_PEER_UNREACHABLE')
  t.is(await codeFor('NOT_CONNECTED'), 'CHANNEL_INSTANCE_NOT_CONNECTED')
  t.is(await codeFor('UNSUPPORTED'), 'FEATURE_NOT_SUPPORTED')
  t.is(await codeFor('toString'), 'DEVICE_NETWORK_ERROR')
  const other = await session.offerCall('1', 'v=0')
  t.like(other, {
    ok: false,
    error: { code: 'DEVICE_NETWORK_ERROR', details: { upstreamCode: 'toString', upstreamMessage: 'why' } },
  })
})

// [nodes.calls.8] [engines.bridge.3]
test('calls that an engine holds are listed with our ids, one it lost the answer of is ended by ours, and an engine without them says so', async (t) => {
  const { session, engine, number } = await probe(t)
  engine.onRequest = ({ op }) => {
    if (op === 'call.offer') return 'drop'
    if (op !== 'calls.list') return undefined
    return {
      result: [
        { callId: 'a', callRef: 'call_1', state: 'CONNECTED' },
        { callId: 'b', state: 'RINGING' },
        { callId: 'c', callRef: null, state: 'ENDED' },
        { callId: 'd', state: 'HELD' },
      ],
    }
  }
  t.false((await session.offerCall('1', 'v=0', null, 'call_2')).ok)
  await until('it is ended', () => number.opsOf('call.terminate').length === 1)
  t.like(number.opsOf('call.offer')[0], { callRef: 'call_2' })
  t.like(number.opsOf('call.terminate')[0], { callRef: 'call_2' })
  t.deepEqual(await session.liveCalls?.list(), {
    ok: true,
    value: [
      { externalCallId: 'a', callRef: 'call_1', isConnected: true },
      { externalCallId: 'b', callRef: null, isConnected: false },
      { externalCallId: 'd', callRef: null, isConnected: true },
    ],
  })
  engine.onRequest = ({ op }) =>
    op === 'session.start' ? undefined : { error: { code: op === 'calls.list' ? 'UNSUPPORTED' : 'UNKNOWN_CALL' } }
  t.like(await session.liveCalls?.list(), { ok: false, error: { code: 'FEATURE_NOT_SUPPORTED' } })
  t.deepEqual(await session.liveCalls?.terminate('call_2'), { ok: true, value: null })
})

test('a call the engine does not know is ended, and cannot be accepted', async (t) => {
  const { session, engine } = await probe(t)
  engine.onRequest = ({ op }) => (op === 'session.start' ? undefined : { error: { code: 'UNKNOWN_CALL' } })
  t.deepEqual(await session.terminateCall('c1'), { ok: true, value: null })
  t.deepEqual(await session.rejectCall('c1'), { ok: true, value: null })
  t.like(await session.acceptCall('c1', 'v=0'), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
})

test('an answer without the promised result is an error of the network', async (t) => {
  const { session, engine } = await probe(t)
  engine.onRequest = () => ({ result: { callId: 7 } })
  t.like(await session.offerCall('1', 'v=0'), { ok: false, error: { code: 'DEVICE_NETWORK_ERROR' } })
})

test('a request that must not run twice fails when the link breaks under it', async (t) => {
  const { session, engine, number } = await probe(t)
  engine.onRequest = ({ op }) => (op === 'call.offer' ? 'drop' : undefined)
  t.like(await session.offerCall('1', 'v=0'), { ok: false, error: { code: 'DEVICE_NETWORK_ERROR' } })
  await until('it reconnected', () => number.opsOf('session.start').length === 2)
  t.true((await session.terminateCall('c1')).ok)
  t.is(number.opsOf('call.offer').length, 1)
})

test('a request that may run twice is sent again after a break, with its id and message id', async (t) => {
  const { session, engine, number } = await probe(t)
  let breaks = 1
  engine.onRequest = ({ op }) => {
    if (op !== 'message.send') return undefined
    return breaks-- > 0 ? 'drop' : { result: { externalMessageId: 'm1' } }
  }
  t.deepEqual(await session.sendText('1', 'hi', 'msg_7'), { ok: true, value: { externalMessageId: 'm1' } })
  const sends = number.opsOf('message.send')
  t.is(sends.length, 2)
  t.deepEqual(sends[0], sends[1])
})

test('a request without an answer times out, and a call offered too late is ended', async (t) => {
  const clock = new FakeClock()
  const { session, engine, number } = await probe(t, {}, clock)
  engine.onRequest = ({ op }) => (op === 'call.offer' ? 'silence' : undefined)
  const offered = session.offerCall('1', 'v=0')
  const { id } = await until('the offer arrived', () => number.opsOf('call.offer')[0])
  clock.advance(PROVIDER_REQUEST_MS)
  t.like(await offered, { ok: false, error: { code: 'DEVICE_NETWORK_TIMEOUT' } })
  number.raw({ re: id, ok: true, result: { callId: 'late-1' } })
  await until('the late call is ended', () =>
    number.opsOf('call.terminate').some((request) => request['callId'] === 'late-1'),
  )
})

test('while the engine is away a call is refused after a short wait', async (t) => {
  const clock = new FakeClock()
  const { session, engine, told } = await probe(t, {}, clock)
  await until('up', () => told.length === 1)
  await engine.close()
  await until('down', () => told.length === 2)
  const offered = session.offerCall('1', 'v=0')
  clock.advance(LINK_WAIT_MS)
  t.like(await offered, { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } })
})

test('a start that is refused is tried again and no link is told', async (t) => {
  const { engine, number, told } = await probe(t)
  let refusals = 2
  engine.onRequest = ({ op }) => (op === 'session.start' && refusals-- > 0 ? { error: { code: 'FAILED' } } : undefined)
  await until('it got through', () => told.length > 0)
  t.deepEqual(told, [{ type: 'linkUp' }])
  t.is(number.opsOf('session.start').length, 3)
})

// [bridge.events.2]
for (const reason of ['replaced', 'logged_out', 'banned', 'qr_expired', 'wrong_number'] as const) {
  test(`after CLOSE with ${reason} a lost link is not opened again`, async (t) => {
    const clock = new FakeClock()
    const { session, number, told, reopen } = await probe(t, {}, clock)
    await until('up', () => told.length === 1)
    number.emit({ ev: 'session.state', state: 'CLOSE', reason })
    await until('told', () => told.length === 2)
    session.settle(sequenced(told)[0]?.seq ?? -1)
    await until('acknowledged', () => number.acks.length === 1)
    number.drop()
    await until('down', () => told.some((event) => event.type === 'linkDown'))
    clock.advance(600_000)
    t.like(await session.terminateCall('c1'), { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } })
    t.is(number.connects, 1)
    reopen()
    await until('another session connects', () => number.connects === 2)
  })
}

test('after CLOSE for the network a lost link is opened again', async (t) => {
  const { number, told } = await probe(t)
  await until('up', () => told.length === 1)
  number.emit({ ev: 'session.state', state: 'CLOSE', reason: 'network' })
  await until('told', () => told.length === 2)
  number.drop()
  await until('it reconnected', () => number.connects === 2)
  t.pass()
})

test('closing twice is like closing once: no more events, and waiting requests are answered', async (t) => {
  const { session, engine, number, told } = await probe(t)
  engine.onRequest = ({ op }) => (op === 'call.offer' ? 'silence' : undefined)
  const offered = session.offerCall('1', 'v=0')
  await until('the offer arrived', () => number.opsOf('call.offer').length === 1)
  const heard = told.length
  session.close()
  session.close()
  t.like(await offered, { ok: false, error: { code: 'DEVICE_NETWORK_ERROR' } })
  await until('the engine saw it go', () => number.socket === null)
  t.like(await session.rejectCall('c1'), { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } })
  t.is(told.length, heard)
  t.is(number.connects, 1)
})

test('a listener that throws ends neither session nor process', async (t) => {
  const engine = await ScriptedEngine.start()
  const driver = createUnofficialDriver({
    engines: oneEngine(engine.url),
    bridgeToken: null,
    clock: lateClock,
    log: silentLog,
    metrics: noMetrics,
  })
  t.teardown(() => engine.close())
  const session = driver.openSession(specOf(), () => {
    throw new Error('listener')
  })
  t.teardown(() => session.close())
  t.true((await session.terminateCall('c1')).ok)
})

test('a start says at which origin media are fetched with the bearer of the bridge', async (t) => {
  const { number, engine, told } = await probe(t)
  await until('up', () => told.length === 1)
  t.is(number.opsOf('session.start')[0]?.['mediaBearerOrigin'], new URL(engine.url.replace('ws:', 'http:')).origin)
})

test('a code to type is asked of the engine, and again by the start of a reconnect that still pairs', async (t) => {
  const { number, session, told } = await probe(t)
  await until('up', () => told.length === 1)
  t.false('pairingCode' in (number.opsOf('session.start')[0] ?? {}))
  t.true((await session.requestPairingCode?.())?.ok)
  t.is(number.opsOf('session.pairing_code').length, 1)
  number.drop()
  await until('it started again', () => number.opsOf('session.start').length === 2)
  t.is(number.opsOf('session.start')[1]?.['pairingCode'], true)
  number.emit({ ev: 'session.credentials', credentials: 'linked' })
  await until('credentials are told', () => told.some((event) => event.type === 'credentials'))
  number.drop()
  await until('it started once more', () => number.opsOf('session.start').length === 3)
  t.false('pairingCode' in (number.opsOf('session.start')[2] ?? {}), 'a linked number pairs no more')
})

test('an engine that knows no code to type refuses, and is not asked again by itself', async (t) => {
  const { number, engine, session, told } = await probe(t)
  engine.onRequest = ({ op }) => (op === 'session.pairing_code' ? { error: { code: 'UNSUPPORTED' } } : undefined)
  await until('up', () => told.length === 1)
  t.false((await session.requestPairingCode?.())?.ok)
  number.drop()
  await until('it started again', () => number.opsOf('session.start').length === 2)
  t.false('pairingCode' in (number.opsOf('session.start')[1] ?? {}))
})
