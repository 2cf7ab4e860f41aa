import test from 'ava'
import { WebSocket } from 'ws'
import { newId } from '../../../src/domain/ids.ts'
import { fail, refuse } from '../../../src/domain/errors.ts'
import { ControlClient, MediaHostRig, newCall, SECRET, ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { Playable } from '../../../media-host/playback/playable.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

/** Waits until the host counts this many connected nodes. */
async function untilNodes(count: number): Promise<void> {
  await until(`${count} nodes are connected`, async () => {
    const response = await fetch(`http://127.0.0.1:${rig.host.controlPort}/health`)
    return ((await response.json()) as { nodes: number }).nodes === count
  })
}

function attempt(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${rig.host.controlPort}/control`, { headers })
  return new Promise((resolve) => {
    socket.on('open', () => resolve(101))
    socket.on('error', () => {})
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  })
}

test.serial('only the internal secret and a node id open the control socket', async (t) => {
  const node = newId('node')
  t.is(await attempt({}), 401)
  t.is(await attempt({ authorization: 'Bearer wrong', 'x-node-id': node }), 401)
  t.is(await attempt({ authorization: `Bearer ${SECRET}x`, 'x-node-id': node }), 401)
  t.is(await attempt({ authorization: `Bearer ${SECRET}` }), 400)
  t.is(await attempt({ authorization: `Bearer ${SECRET}`, 'x-node-id': node }), 101)
})

test.serial('a gateway may say 4 MiB at once; what says more costs it its socket', async (t) => {
  const most = 4_194_304
  const empty = JSON.stringify({ id: 1, op: 'sync', calls: [] })
  rig.control.socket.send(empty.padEnd(most))
  t.like(await rig.control.ask('revoke', { by: 'nobody' }), { ok: true })
  rig.control.socket.send(empty.padEnd(most + 1))
  await until('the socket is closed', () => rig.control.closedCode !== null)
})

test.serial('a host gets ready for files once it has a call', async (t) => {
  t.false(rig.playables.isPrepared)
  await rig.call('INITIATED')
  t.true(rig.playables.isPrepared)
})

test.serial('a bot that waits for an inbound call hears why its offer cannot be answered', async (t) => {
  const call = newCall('INBOUND', 'RINGING')
  await rig.control.do('announce', { call })
  const bot = await rig.client(call.callId)
  await rig.control.ask('answer', { call, sdpOffer: 'nonsense' })
  t.like(await bot.until('warning'), { code: 'INVALID_SDP', message: 'The offer of the caller is nonsense' })
})

test.serial('offer, connect, answer and announce are answered; what cannot be done is refused', async (t) => {
  const call = newCall()
  t.deepEqual(await rig.control.do('offer', { call }), { sdp: 'v=0 offer' })
  t.is(await rig.control.do('connect', { callId: call.callId, sdpAnswer: 'v=0' }), null)
  const inbound = newCall('INBOUND', 'RINGING')
  t.is(await rig.control.do('announce', { call: inbound }), null)
  t.like(await rig.control.ask('connect', { callId: inbound.callId, sdpAnswer: 'v=0' }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
  t.deepEqual(await rig.control.do('answer', { call: inbound, sdpOffer: 'v=0' }), { sdp: 'v=0 answer' })
  t.like(await rig.control.ask('answer', { call: inbound, sdpOffer: 'nonsense' }), {
    ok: false,
    error: { code: 'INVALID_SDP', message: 'The offer of the caller is nonsense' },
  })
  const unknown = newId('call')
  for (const [op, fields] of [
    ['mint', { mode: 'talk' }],
    ['status', { status: 'RINGING' }],
    ['connect', { sdpAnswer: 'v=0' }],
  ] as const) {
    t.like(
      await rig.control.ask(op, { callId: unknown, ...fields }),
      { ok: false, error: { code: 'CALL_NOT_FOUND' } },
      op,
    )
  }
  t.is(await rig.control.do('close', { callId: unknown, status: 'FAILED' }), null)
  t.like(await rig.control.ask('mint', { callId: unknown, mode: 'talk' }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
  t.like(await rig.control.ask('dance', {}), { ok: false, error: { code: 'VALIDATION' } })
  t.like(await rig.control.ask('mint', { callId: unknown }), { ok: false, error: { code: 'VALIDATION' } })
})

// [bridged-calls.bridge.10] [bridged-calls.bridge.14]
test.serial('a further description is for the leg, each one once; what it cannot take is refused', async (t) => {
  const call = newCall()
  const { callId } = call
  const update = (sdp: string) => rig.control.ask('update', { callId, sdp })
  t.like(await update('v=0 early'), { ok: false, error: { code: 'CALL_NOT_FOUND' } })
  await rig.control.do('announce', { call })
  t.like(await update('v=0 early'), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  await rig.control.do('offer', { call })
  await rig.control.do('connect', { callId, sdpAnswer: 'v=0' })
  for (const sdp of ['v=0', 'v=0 second', 'v=0 third', 'v=0 second']) t.like(await update(sdp), { ok: true })
  t.deepEqual(rig.leg.updates, ['v=0 second', 'v=0 third'])
  t.like(await update('nonsense'), {
    ok: false,
    error: { code: 'INVALID_SDP', message: 'The description is nonsense' },
  })
  t.false(rig.leg.isClosed)
})

// [configuration.variables.8]
test.serial('mint tells the address of the socket it got and when the token ends', async (t) => {
  const callId = await rig.call()
  const minted = await rig.mint(callId)
  t.is(minted.wsUrl, `ws://localhost:${rig.host.mediaPort}/v1/realtime/${callId}?token=${minted.token}`)
  t.is(minted.expiresAtMs, rig.clock.now() + 120_000)
})

test.serial(
  'revoke makes the unused tokens of a caller or a number unknown to every socket, and leaves open sessions alone',
  async (t) => {
    const node = rig.control
    const call = newCall()
    const { callId, numberId } = call
    await node.do('offer', { call })
    const mint = async (by?: string): Promise<string> =>
      (await node.do('mint', { callId, mode: 'listen', ...(by === undefined ? {} : { by }) })).wsUrl
    const refusal = async (wsUrl: string) => {
      const { status, body } = await SessionClient.attempt(wsUrl)
      return status === 101 ? 'taken' : JSON.parse(body).code
    }
    const open = await SessionClient.connect(await mint('key_a'))
    const [ofA, ofB, untold] = [await mint('key_a'), await mint('key_b'), await mint()]
    t.is(await node.do('revoke', { by: 'key_a' }), null)
    t.is(await node.do('revoke', { by: 'key_a' }), null)
    t.is(await refusal(ofA), 'INVALID_TOKEN')
    t.is(await refusal(ofB), 'taken')
    t.is(await node.do('revoke', { by: numberId }), null)
    t.is(await refusal(untold), 'INVALID_TOKEN')
    await rig.settled(open)
    t.is(open.closed, null)
    t.like(await node.ask('revoke', {}), { ok: false, error: { code: 'VALIDATION' } })
  },
)

// [nodes.calls.1]
test.serial(
  'a dropped control socket leaves calls alone; sync answers those held, and those no longer named wait a minute to be adopted',
  async (t) => {
    const node = newId('node')
    const first = await rig.node(node)
    const kept = await rig.call('ACCEPTED', first)
    const given = await rig.call('ACCEPTED', first)
    const other = await rig.call('ACCEPTED')
    const listener = await rig.client(given, '', 'listen')
    await first.close()
    await untilNodes(1)
    t.true(rig.legs.every((leg) => !leg.isClosed))
    const gone = newId('call')
    const second = await ControlClient.connect(rig.host.controlPort, node)
    const answer = await second.do('sync', { calls: [kept, gone] satisfies CallId[] })
    t.deepEqual(answer.calls, [kept])
    t.regex(answer.hostId, /^host-/)
    rig.clock.advance(59_000)
    await rig.settled(listener)
    t.deepEqual([listener.closed, ...rig.legs.map((leg) => leg.isClosed)], [null, false, false, false])
    rig.clock.advance(2_000)
    t.is((await listener.untilClosed()).code, 4410)
    t.deepEqual(
      rig.legs.map((leg) => leg.isClosed),
      [false, true, false],
    )
    t.true((await rig.control.ask('mint', { callId: other, mode: 'talk' })).ok)
  },
)

// [nodes.calls.1]
test.serial('a node that stays away for a minute loses the calls nobody adopted', async (t) => {
  const node = await rig.node(newId('node'))
  await rig.call('ACCEPTED', node)
  await node.close()
  await untilNodes(1)
  rig.clock.advance(59_000)
  t.false(rig.leg.isClosed)
  rig.clock.advance(2_000)
  t.true(rig.leg.isClosed)
})

test.serial('events are numbered on for a node that was given up', async (t) => {
  const nodeId = newId('node')
  const node = await rig.node(nodeId)
  await rig.call('ACCEPTED', node)
  rig.leg.events.flowing()
  await until('the first event is there', () => node.events.length === 1)
  await node.close()
  await untilNodes(1)
  rig.clock.advance(61_000)
  const back = await rig.node(nodeId)
  await rig.call('ACCEPTED', back)
  rig.leg.events.flowing()
  await until('the next event is there', () => back.events.length === 1)
  t.is(back.events[0]?.n, 2)
})

test.serial('a newer control socket of a node replaces the older', async (t) => {
  const node = newId('node')
  const first = await rig.node(node)
  const second = await rig.node(node)
  await until('the first is closed', () => first.closedCode === 4409)
  const callId = await rig.call('ACCEPTED', second)
  rig.leg.events.flowing()
  await until('the second hears', () => second.of('flowing').length === 1)
  t.is(second.of('flowing')[0].callId, callId)
})

test.serial('an error inside a slot ends that leg and no other', async (t) => {
  const callId = await rig.call()
  const broken = rig.leg
  broken.send = () => {
    throw new TypeError('boom')
  }
  await rig.call()
  rig.mediaClock.tick(2)
  rig.clock.advance(1)
  await until('the loss is told', () => rig.control.of('lost').length === 1)
  t.deepEqual(rig.control.of('lost'), [{ type: 'lost', callId, reason: 'INTERNAL' }])
  t.is(rig.leg.sent.length, 2)
})

test.serial('play answers the refusal of its file, or is told of by events', async (t) => {
  const callId = await rig.call()
  rig.playables.files.set('http://files/no', Promise.resolve(fail(refuse('MEDIA_UNSUPPORTED', 'no audio'))))
  rig.playables.files.set('http://files/yes', new ScriptedPlayable(2))
  const play = (mediaUrl: string, hangupAfterPlay = false) => {
    return rig.control.ask('play', { callId, playbackId: newId('play'), mediaUrl, hangupAfterPlay })
  }
  t.like(await play('http://files/no'), { ok: false, error: { code: 'MEDIA_UNSUPPORTED' } })
  t.like(await play('http://files/yes', true), { ok: true, value: null })
  rig.mediaClock.tick(13)
  await until('it is finished', () => rig.control.of('playback').length === 2)
  t.deepEqual(
    rig.control.of('playback').map(({ status, hangupAfterPlay }) => [status, hangupAfterPlay]),
    [
      ['PLAYING', true],
      ['FINISHED', true],
    ],
  )
  t.is(rig.control.of('hangup').length, 0)
})

// [calls.play.6]
test.serial(
  'files keep the order in which they were asked for, however slow their hosts are; a 21st is refused',
  async (t) => {
    const callId = await rig.call()
    let open: (outcome: Outcome<Playable>) => void = () => {}
    rig.playables.files.set(
      'http://files/slow',
      new Promise((resolve) => {
        open = resolve
      }),
    )
    rig.playables.files.set('http://files/fast', new ScriptedPlayable(1))
    const slow = rig.control.ask('play', {
      callId,
      playbackId: newId('play'),
      mediaUrl: 'http://files/slow',
      hangupAfterPlay: false,
    })
    for (let i = 0; i < 19; i++) {
      t.true(
        (
          await rig.control.ask('play', {
            callId,
            playbackId: newId('play'),
            mediaUrl: 'http://files/fast',
            hangupAfterPlay: false,
          })
        ).ok,
      )
    }
    const full = await rig.control.ask('play', {
      callId,
      playbackId: newId('play'),
      mediaUrl: 'http://files/fast',
      hangupAfterPlay: false,
    })
    t.like(full, { ok: false, error: { code: 'PLAYBACK_QUEUE_FULL' } })
    rig.mediaClock.tick(3)
    t.true(rig.leg.sent.every(({ kind }) => kind === 'silence'))
    const playable = new ScriptedPlayable(2)
    open({ ok: true, value: playable })
    t.true((await slow).ok)
    rig.mediaClock.tick(3)
    await until('the slow one came first', () =>
      rig.control.of('playback').some(({ status, mediaUrl }) => status === 'FINISHED' && mediaUrl.endsWith('fast')),
    )
    t.deepEqual(
      rig.control
        .of('playback')
        .slice(0, 2)
        .map(({ status, mediaUrl }) => [status, mediaUrl]),
      [
        ['PLAYING', 'http://files/slow'],
        ['FINISHED', 'http://files/slow'],
      ],
    )
    t.true(playable.isReleased)
  },
)

test.serial('a file cleared while its host is slow is released and told to have failed after its answer', async (t) => {
  const callId = await rig.call()
  const client = await rig.client(callId)
  let open: (outcome: Outcome<Playable>) => void = () => {}
  rig.playables.files.set(
    'http://files/slow',
    new Promise((resolve) => {
      open = resolve
    }),
  )
  const slow = rig.control.ask('play', {
    callId,
    playbackId: newId('play'),
    mediaUrl: 'http://files/slow',
    hangupAfterPlay: true,
  })
  await rig.control.do('mint', { callId, mode: 'talk' })
  client.send({ type: 'clear' })
  await client.until('cleared')
  const playable = new ScriptedPlayable(2)
  open({ ok: true, value: playable })
  t.true((await slow).ok)
  rig.clock.advance(1)
  await until('it is told', () => rig.control.of('playback').length === 1)
  t.like(rig.control.of('playback')[0], { status: 'FAILED', error: 'CLEARED' })
  t.true(playable.isReleased)
})

test.serial(
  'a host that runs late says so, refuses new audio, and takes it again when it has calmed down',
  async (t) => {
    for (let i = 0; i < 8; i++) await rig.call()
    const [callId] = [await rig.call()]
    rig.mediaClock.lateMs = 10.5
    t.deepEqual(rig.host.load(), { calls: 9, tickLateP99Ms: 10.5, draining: false })
    t.like(await rig.control.ask('offer', { call: newCall() }), {
      ok: false,
      error: { code: 'MEDIA_CAPACITY', retryAfterSeconds: 5 },
    })
    const { wsUrl } = await rig.mint(callId)
    t.is((await SessionClient.attempt(wsUrl)).status, 503)
    rig.mediaClock.lateMs = 8
    t.false((await rig.control.ask('answer', { call: newCall('INBOUND'), sdpOffer: 'v=0' })).ok)
    rig.mediaClock.lateMs = 5
    t.true((await rig.control.ask('offer', { call: newCall() })).ok)
    t.is((await SessionClient.attempt(wsUrl)).status, 101)
  },
)

test.serial('a host tells every gateway once a second how late it is, and whether it ends', async (t) => {
  const other = await rig.node(newId('node'))
  rig.mediaClock.lateMs = 7.5
  rig.clock.advance(1_000)
  await until('both were told', () => rig.control.loads.length === 1 && other.loads.length === 1)
  void rig.host.drain()
  rig.mediaClock.lateMs = 2
  rig.clock.advance(1_000)
  await until('both were told again', () => rig.control.loads.length === 2 && other.loads.length === 2)
  for (const { loads } of [rig.control, other])
    t.deepEqual(loads, [
      { tickLateP99Ms: 7.5, draining: false },
      { tickLateP99Ms: 2, draining: true },
    ])
})

test.serial('health tells what the host holds', async (t) => {
  await rig.client(await rig.call())
  const response = await fetch(`http://127.0.0.1:${rig.host.controlPort}/health`)
  t.is(response.status, 200)
  t.like(await response.json(), { status: 'ok', calls: 1, sessions: 1, isAdmitting: true, tickLateP99Ms: 0 })
})
