import { until } from '../../helpers/until.ts'
import { connected, Line, refusalOf, valueOf } from './world.ts'
import type { Story } from './world.ts'

/** Calls in both directions, and their events. */
export function testCalls(story: Story): void {
  story('a call without permission is refused', async (t, world) => {
    const { session } = await connected(t, world)
    t.like(refusalOf(await session.offerCall(world.answeringUser, await world.offerSdp())), {
      code: 'OFFICIAL_CALL_PERMISSION_REQUIRED',
      details: { upstreamCode: 138006 },
    })
  })

  story('a call before calling is enabled is refused', async (t, world) => {
    const line = new Line(world, await world.freshNumber(), [])
    t.teardown(() => line.session.close())
    t.like(refusalOf(await line.session.offerCall(world.answeringUser, await world.offerSdp())), {
      code: 'OFFICIAL_CALLING_NOT_ENABLED',
    })
  })

  story('text that is no SDP is refused', async (t, world) => {
    const { number, session } = await connected(t, world)
    await world.permit(number, world.answeringUser, 'accept')
    t.like(refusalOf(await session.offerCall(world.answeringUser, 'hello')), {
      code: 'OFFICIAL_REQUEST_REFUSED',
      details: { upstreamCode: 100 },
    })
  })

  story('a call rings, brings its answer, is accepted and ended, each told once', async (t, world) => {
    const line = await connected(t, world)
    await world.permit(line.number, world.answeringUser, 'accept')
    const { externalCallId } = valueOf(
      await line.session.offerCall(world.answeringUser, await world.offerSdp(), 'order-1'),
    )
    t.is((await line.first('callRinging')).externalCallId, externalCallId)
    t.true((await line.first('callSdp')).sdp.startsWith('v=0'))
    t.is((await line.first('callAccepted')).externalCallId, externalCallId)
    valueOf(await line.session.terminateCall(externalCallId))
    const ended = await line.first('callEnded')
    t.like(ended, {
      externalCallId,
      reason: 'hangup',
      end: { direction: 'OUTBOUND', isAnswered: true, bizOpaqueCallbackData: 'order-1', failure: null },
    })
    t.is(typeof ended.end.durationSeconds, 'number')
    t.true((await line.session.terminateCall(externalCallId)).ok)
    for (const type of ['callRinging', 'callSdp', 'callAccepted', 'callEnded'] as const)
      t.is(line.all(type).length, 1, type)
  })

  story('a declined call is told as declined', async (t, world) => {
    const line = await connected(t, world)
    await world.permit(line.number, world.decliningUser, 'accept')
    const { externalCallId } = valueOf(await line.session.offerCall(world.decliningUser, await world.offerSdp()))
    const declined = await until('the decline is told', () =>
      line.all('callEnded').find(({ reason }) => reason === 'declined'),
    )
    t.is(declined.externalCallId, externalCallId)
    t.is(line.all('callAccepted').length, 0)
  })

  story('a call upstream never heard of has ended', async (t, world) => {
    const { session } = await connected(t, world)
    t.true((await session.terminateCall('wacid.unknown')).ok)
    t.true((await session.rejectCall('wacid.unknown')).ok)
  })

  story('a call of a user is pre-accepted, accepted and hung up by the user', async (t, world) => {
    const line = await connected(t, world)
    const { externalCallId } = await world.callIn(line.number, world.answeringUser)
    const incoming = await line.first('incomingCall')
    t.like(incoming, { externalCallId, from: world.answeringUser })
    const answer = await world.answerSdp(incoming.sdp)
    if (!line.session.preAcceptCall) throw new Error('the driver cannot pre-accept')
    valueOf(await line.session.preAcceptCall(externalCallId, answer))
    valueOf(await line.session.acceptCall(externalCallId, answer))
    await world.hangUp(externalCallId)
    t.like(await line.first('callEnded'), {
      externalCallId,
      reason: 'hangup',
      end: { direction: 'INBOUND', isAnswered: true },
    })
    t.like(refusalOf(await line.session.acceptCall(externalCallId, answer)), { code: 'OFFICIAL_REQUEST_REFUSED' })
  })

  story('a call of a user who gives up was not answered', async (t, world) => {
    const line = await connected(t, world)
    const { externalCallId } = await world.callIn(line.number, world.answeringUser)
    await line.first('incomingCall')
    await world.hangUp(externalCallId)
    t.like(await line.first('callEnded'), {
      externalCallId,
      reason: 'canceled',
      end: { isAnswered: false, durationSeconds: null },
    })
  })

  story('a rejected call of a user ends', async (t, world) => {
    const line = await connected(t, world)
    const { externalCallId } = await world.callIn(line.number, world.answeringUser)
    await line.first('incomingCall')
    valueOf(await line.session.rejectCall(externalCallId))
    t.like(await line.first('callEnded'), { externalCallId, end: { isAnswered: false } })
  })
}
