import type { ExecutionContext, TestFn } from 'ava'
import type { DeviceDirectory } from '../../src/ports/devices.ts'
import type { ProviderSession } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'
import { text } from '../helpers/sendables.ts'
import { paired, Watched } from './provider-world.ts'
import type { ProviderWorld, Story } from './provider-world.ts'
import { sendStories, receiveStories, to } from './provider-messages.ts'

/** The behaviour of every driver of QR-paired numbers, over any upstream. `title` names the implementation. */
export function testProviderSession(test: TestFn, title: string, start: () => Promise<ProviderWorld>): void {
  const story = (name: string, run: (t: ExecutionContext, world: ProviderWorld) => Promise<void>): void => {
    test(`${title}: ${name}`, async (t) => {
      const world = await start()
      t.teardown(() => world.close())
      await run(t, world)
    })
  }
  pairingStories(story)
  linkStories(story)
  callStories(story)
  sendStories(story)
  receiveStories(story)
  deviceStories(story)
}

function pairingStories(story: Story): void {
  story('a number pairs by its code, and opens by its credentials without one', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    t.truthy(watched.all('qr')[0]?.qr)
    t.true((await watched.first('engine')).engine?.capabilities?.includes('text'))
    watched.session.close()
    const again = new Watched(t, world.driver, opening)
    await again.state('OPEN')
    t.deepEqual(again.all('qr'), [])
  })

  story('credentials that were unlinked close the session as logged out', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    await world.unlink(opening)
    t.is((await watched.state('CLOSE')).reason, 'logged_out')
    watched.session.close()
    const again = new Watched(t, world.driver, opening)
    t.is((await again.state('CLOSE')).reason, 'logged_out')
  })

  story('logout unlinks the device', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    t.deepEqual(await watched.session.logout(), { ok: true, value: null })
    watched.session.close()
    const again = new Watched(t, world.driver, opening)
    await again.state('CLOSE')
    t.is(
      again.all('state').some((event) => event.state === 'OPEN'),
      false,
    )
  })
}

function linkStories(story: Story): void {
  story('a dropped link comes back by itself and the session is open again', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    await world.dropLink(opening)
    await watched.first('linkDown')
    await until('the link is back', () => watched.all('linkUp').length === 2)
    await until(
      'the session is open again',
      () => watched.told.findLast((event) => event.type === 'state')?.state === 'OPEN',
    )
    t.true((await watched.session.applySettings(opening.settings, opening.wantsStories)).ok)
  })

  story('events that were not settled are told to the next session, and settled ones are not', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    watched.session.close()
    const forgetful = new Watched(t, world.driver, opening, false)
    await forgetful.state('OPEN')
    const { externalCallId } = await world.callIn(opening)
    t.is((await forgetful.first('incomingCall')).externalCallId, externalCallId)
    forgetful.session.close()
    const next = new Watched(t, world.driver, opening)
    t.is((await next.first('incomingCall')).externalCallId, externalCallId)
    next.session.close()
    const last = new Watched(t, world.driver, opening)
    await last.state('OPEN')
    t.deepEqual(last.all('incomingCall'), [])
  })

  story('a message sent twice under one id is one message', async (t, world) => {
    const { watched } = await paired(t, world)
    const first = await watched.session.sendText(world.ringingPeer, 'hello', 'msg_contract')
    t.true(first.ok)
    t.deepEqual(await watched.session.sendText(world.ringingPeer, 'hello', 'msg_contract'), first)
  })
}

function callStories(story: Story): void {
  story('a call that is placed rings and is answered', async (t, world) => {
    const { watched } = await paired(t, world)
    const offered = await watched.session.offerCall(world.ringingPeer, await world.offerSdp())
    if (!offered.ok) return t.fail(offered.error.message)
    const { externalCallId } = offered.value
    t.is((await watched.first('callRinging')).externalCallId, externalCallId)
    t.regex((await watched.first('callAnswered')).sdp, /^v=0/)
    t.deepEqual(await watched.session.terminateCall(externalCallId), { ok: true, value: null })
  })

  story('a call is found by our id by whoever opens the number next, and ended by it', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const { credentials } = await watched.first('credentials')
    const offered = await watched.session.offerCall(world.ringingPeer, await world.offerSdp(), null, 'call_contract')
    if (!offered.ok) return t.fail(offered.error.message)
    const { externalCallId } = offered.value
    watched.session.close()
    const next = new Watched(t, world.driver, { ...opening, credentials })
    await next.state('OPEN')
    const listed = await next.session.liveCalls?.list()
    t.like(listed, { ok: true, value: [{ externalCallId, callRef: 'call_contract' }] })
    t.deepEqual(await next.session.liveCalls?.terminate('call_contract'), { ok: true, value: null })
    t.is((await next.first('callEnded')).externalCallId, externalCallId)
    t.deepEqual(await next.session.liveCalls?.list(), { ok: true, value: [] })
    t.deepEqual(await next.session.liveCalls?.terminate('call_unknown'), { ok: true, value: null })
  })

  story('a peer that declines ends the call so', async (t, world) => {
    const { watched } = await paired(t, world)
    t.true((await watched.session.offerCall(world.decliningPeer, await world.offerSdp())).ok)
    t.is((await watched.first('callEnded')).reason, 'declined')
  })

  story('a peer out of reach refuses the call', async (t, world) => {
    const { watched } = await paired(t, world)
    t.like(await watched.session.offerCall(world.unreachablePeer, await world.offerSdp()), {
      ok: false,
      error: { code: 'CALL_PEER_UNREACHABLE' },
    })
  })

  story('a number that is not paired cannot call', async (t, world) => {
    const watched = new Watched(t, world.driver, world.freshSpec())
    await watched.first('qr')
    t.like(await watched.session.offerCall(world.ringingPeer, await world.offerSdp()), {
      ok: false,
      error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' },
    })
  })

  story('an incoming call is told with its offer, accepted, and ended by the peer', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const { externalCallId, from } = await world.callIn(opening)
    const incoming = await watched.first('incomingCall')
    t.like(incoming, { externalCallId, from })
    t.true((await watched.session.acceptCall(externalCallId, await world.answerSdp(incoming.sdp))).ok)
    await world.hangUp(externalCallId)
    t.like(await watched.first('callEnded'), { externalCallId, reason: 'hangup' })
  })

  story('a call that is over can be ended again, and not accepted', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const { externalCallId } = await world.callIn(opening)
    const { sdp } = await watched.first('incomingCall')
    t.true((await watched.session.rejectCall(externalCallId)).ok)
    t.deepEqual(await watched.session.terminateCall('call-nobody-knows'), { ok: true, value: null })
    t.false((await watched.session.acceptCall('call-nobody-knows', await world.answerSdp(sdp))).ok)
  })
}

function deviceStories(story: Story): void {
  const devicesOf = (session: ProviderSession): DeviceDirectory => {
    if (!session.devices) throw new Error('the driver has no devices')
    return session.devices as DeviceDirectory
  }

  story('numbers are looked up', async (t, world) => {
    const { watched } = await paired(t, world)
    const checked = await devicesOf(watched.session).checkNumbers({
      numbers: [world.readingPeer, world.unreachablePeer],
    })
    if (!checked.ok) return t.fail(checked.error.message)
    t.like(checked.value, {
      0: { input: world.readingPeer, exists: true, number: world.readingPeer },
      1: { input: world.unreachablePeer, exists: false, number: null },
      length: 2,
    })
  })

  story('a group is made, listed, read, changed and written to', async (t, world) => {
    const { opening, watched } = await paired(t, world)
    const devices = devicesOf(watched.session)
    const made = await devices.createGroup({ subject: 'Team', participants: [world.readingPeer] })
    if (!made.ok) return t.fail(made.error.message)
    const { id } = made.value
    t.deepEqual(
      made.value.participants.map(({ number, isAdmin }) => [number, isAdmin]).toSorted(),
      [
        [opening.number, true],
        [world.readingPeer, false],
      ].toSorted(),
    )
    t.deepEqual(await devices.listGroups({}), { ok: true, value: [{ id, name: 'Team' }] })
    t.deepEqual(await devices.getGroup({ groupId: id }), made)
    const changed = await devices.changeParticipants({
      groupId: id,
      action: 'remove',
      participants: [world.readingPeer],
    })
    t.deepEqual(changed.ok && changed.value.participants.map(({ number }) => number), [opening.number])
    t.like(await watched.session.sendMessage(to(id, text('hi'), { to: { type: 'GROUP', address: id } })), {
      kind: 'sent',
    })
    t.like(await devices.getGroup({ groupId: '120363000000000000@g.us' }), { ok: false, error: { code: 'NOT_FOUND' } })
    t.like(await devices.createGroup({ subject: 'Team', participants: [world.unreachablePeer] }), {
      ok: false,
      error: { code: 'VALIDATION' },
    })
  })

  story('channels are listed', async (t, world) => {
    const { watched } = await paired(t, world)
    t.deepEqual(await devicesOf(watched.session).listNewsletters({}), { ok: true, value: [] })
  })

  story('a number that is not paired cannot look up numbers', async (t, world) => {
    const watched = new Watched(t, world.driver, world.freshSpec())
    await watched.first('qr')
    t.like(await devicesOf(watched.session).listGroups({}), {
      ok: false,
      error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' },
    })
  })
}
