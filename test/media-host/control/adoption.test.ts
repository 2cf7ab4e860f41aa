import test from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { ControlClient } from '../../helpers/media-host-rig.ts'
import { MediaHostRig, newCall } from '../../helpers/media-host-rig.ts'
import { SessionClient } from '../../helpers/session-client.ts'
import { until } from '../../helpers/until.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

const NOT_OWNER = { ok: false, error: { code: 'NOT_OWNER' } }

/** An answered call that a node asked for with a fence. */
async function ownedCall(node: ControlClient, fence: number): Promise<CallId> {
  const call = { ...newCall(), fence }
  await node.do('offer', { call })
  await node.do('connect', { callId: call.callId, fence, sdpAnswer: 'v=0' })
  await node.do('status', { callId: call.callId, fence, status: 'ACCEPTED' })
  return call.callId
}

test.serial(
  'a call is adopted by a higher fence: its socket and leg go on, and its events go there, those already heard told again',
  async (t) => {
    const first = await rig.node(newId('node'))
    const callId = await ownedCall(first, 1)
    const minted = await first.do('mint', { callId, fence: 1, mode: 'talk' })
    rig.leg.events.flowing()
    await until('it flows', () => first.events.length === 1)
    first.socket.send(JSON.stringify({ ack: 1 }))
    const second = await rig.node(newId('node'))
    t.deepEqual(await second.do('adopt', { callId, fence: 2 }), { hasLeg: true })
    t.deepEqual(
      second.events.map(({ ev }) => ev),
      [{ type: 'flowing', callId }],
    )
    const bot = await SessionClient.connect(minted.wsUrl)
    bot.send({ type: 'hangup', reason: 'done' })
    await until('the adopter hears it', () => second.of('hangup').length === 1)
    t.deepEqual(first.of('hangup'), [])
    await first.close()
    // The host closes a socket that sent no frame for a minute.
    for (const ms of [31_000, 31_000]) {
      rig.clock.advance(ms)
      await rig.settled(bot)
    }
    t.deepEqual([bot.closed, rig.leg.isClosed], [null, false])
  },
)

test.serial(
  'every request of a former owner for the call is refused, and those of the next owner are not',
  async (t) => {
    const first = await rig.node(newId('node'))
    const callId = await ownedCall(first, 5)
    const second = await rig.node(newId('node'))
    await second.do('adopt', { callId, fence: 6 })
    t.like(await first.ask('adopt', { callId, fence: 5 }), NOT_OWNER)
    for (const fence of [{ fence: 5 }, {}]) {
      t.like(await first.ask('mint', { callId, mode: 'talk', ...fence }), NOT_OWNER)
      t.like(await first.ask('status', { callId, status: 'FAILED', ...fence }), NOT_OWNER)
      t.like(await first.ask('connect', { callId, sdpAnswer: 'v=0', ...fence }), NOT_OWNER)
      t.like(await first.ask('leave', { callId, ...fence }), NOT_OWNER)
      t.like(await first.ask('close', { callId, status: 'FAILED', ...fence }), NOT_OWNER)
    }
    t.like(await first.ask('offer', { call: { ...newCall(), callId, fence: 5 } }), NOT_OWNER)
    t.false(rig.leg.isClosed)
    t.is(await second.do('close', { callId, fence: 6, status: 'COMPLETED' }), null)
    t.like(await second.ask('adopt', { callId, fence: 6 }), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
    t.like(await second.ask('adopt', { callId: newId('call'), fence: 6 }), {
      ok: false,
      error: { code: 'CALL_NOT_FOUND' },
    })
  },
)

// [nodes.calls.1]
test.serial(
  'a call that is left keeps what happens for whoever adopts it, and ends a minute later when nobody does',
  async (t) => {
    const first = await rig.node(newId('node'))
    const kept = await ownedCall(first, 1)
    rig.leg.events.flowing()
    await until('it flows', () => first.events.length === 1)
    const lost = await ownedCall(first, 1)
    await first.do('leave', { callId: kept, fence: 1 })
    await first.do('leave', { callId: lost, fence: 1 })
    rig.legs[0]?.events.lost('failed')
    rig.clock.advance(59_000)
    const second = await rig.node(newId('node'))
    t.deepEqual(await second.do('adopt', { callId: kept, fence: 2 }), { hasLeg: false })
    t.deepEqual(
      second.events.map(({ ev }) => ev.type),
      ['flowing', 'lost'],
    )
    rig.clock.advance(2_000)
    t.deepEqual(rig.legs.map((leg) => leg.isClosed).at(-1), true)
    t.like(await second.ask('adopt', { callId: lost, fence: 2 }), { ok: false, error: { code: 'CALL_INVALID_STATE' } })
    t.true((await second.ask('mint', { callId: kept, fence: 2, mode: 'listen' })).ok)
  },
)

test.serial(
  'the same answer again is the same answer: whoever adopts a call may not know that its leg has it',
  async (t) => {
    const first = await rig.node(newId('node'))
    const callId = await ownedCall(first, 1)
    let connects = 0
    const { leg } = rig
    leg.connect = async () => void connects++
    t.is(await first.do('connect', { callId, fence: 1, sdpAnswer: 'v=0' }), null)
    t.is(connects, 0)
    t.is(await first.do('connect', { callId, fence: 1, sdpAnswer: 'v=0 other' }), null)
    t.is(connects, 1)
  },
)

test.serial('of each file only its last progress is told again', async (t) => {
  const first = await rig.node(newId('node'))
  const callId = await ownedCall(first, 1)
  await first.do('play', { callId, fence: 1, playbackId: 'play_1', mediaUrl: 'http://files/a', hangupAfterPlay: true })
  rig.mediaClock.tick(60)
  await until('it was played', () => first.of('playback').some(({ status }) => status === 'FINISHED'))
  await first.close()
  const second = await rig.node(newId('node'))
  await second.do('adopt', { callId, fence: 2 })
  t.deepEqual(
    second.of('playback').map(({ status, hangupAfterPlay }) => [status, hangupAfterPlay]),
    [['FINISHED', true]],
  )
})
