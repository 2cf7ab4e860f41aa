import type { ExecutionContext, TestFn } from 'ava'
import type { DeviceDirectory } from '../../src/ports/devices.ts'
import type { ProviderDriver, ProviderEvent, ProviderSession, SendableContent, SendableMessage, SessionSpec } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'
import { message, text } from '../helpers/sendables.ts'

/** What the suite needs of an upstream beside the driver: the hands that act on its far side. */
export interface ProviderWorld {
  readonly driver: ProviderDriver
  /** A number not used before, without credentials. */
  freshSpec(): SessionSpec
  /** The phone reads the code on show. */
  scan(spec: SessionSpec): Promise<void>
  /** Cuts the link to the engine. */
  dropLink(spec: SessionSpec): Promise<void>
  /** The phone unlinks the device. */
  unlink(spec: SessionSpec): Promise<void>
  /** Digits of a peer that rings, of one that declines and of one that is not reachable. */
  readonly ringingPeer: string
  readonly decliningPeer: string
  readonly unreachablePeer: string
  /** Digits of a peer that reads what it gets, and of one that writes it back. */
  readonly readingPeer: string
  readonly echoingPeer: string
  /** A peer writes to the number. */
  writeIn(spec: SessionSpec, from: string, message: Readonly<Record<string, unknown>>): Promise<{ readonly externalMessageId: string }>
  /** The number's owner writes to somebody on the phone. */
  writeElsewhere(spec: SessionSpec, to: string, message: Readonly<Record<string, unknown>>): Promise<{ readonly externalMessageId: string }>
  /** The network says how it thinks of the number. */
  tellHealth(spec: SessionSpec, health: Readonly<Record<string, unknown>>): Promise<void>
  /** What reached a peer, oldest first: the content as the engine was told it. */
  inbox(peer: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Where the engine can fetch an image. */
  readonly imageUrl: string
  /** A peer calls the number. */
  callIn(spec: SessionSpec): Promise<{ readonly externalCallId: string, readonly from: string }>
  /** The peer of a call hangs up. */
  hangUp(externalCallId: string): Promise<void>
  /** An offer and an answer the upstream can read. */
  offerSdp(): Promise<string>
  answerSdp(offer: string): Promise<string>
  close(): Promise<void>
}

class Watched {
  readonly told: ProviderEvent[] = []
  readonly session: ProviderSession
  readonly #isSettling: boolean

  constructor(t: ExecutionContext, driver: ProviderDriver, spec: SessionSpec, isSettling = true) {
    this.#isSettling = isSettling
    this.session = driver.openSession(spec, (event) => this.#take(event))
    t.teardown(() => this.session.close())
  }

  all<T extends ProviderEvent['type']>(type: T): Extract<ProviderEvent, { type: T }>[] {
    return this.told.filter((event): event is Extract<ProviderEvent, { type: T }> => event.type === type)
  }

  async first<T extends ProviderEvent['type']>(type: T): Promise<Extract<ProviderEvent, { type: T }>> {
    return until(`${type} is told`, () => this.all(type)[0])
  }

  async state(state: 'OPEN' | 'CLOSE'): Promise<Extract<ProviderEvent, { type: 'state' }>> {
    return until(`the session is ${state}`, () => this.all('state').find((event) => event.state === state))
  }

  #take(event: ProviderEvent): void {
    this.told.push(event)
    // Later, as a store does.
    if (this.#isSettling && 'seq' in event) queueMicrotask(() => this.session.settle(event.seq))
  }
}

/** Pairs a fresh number and answers its open session, with the spec it would be opened by next time. */
async function paired(t: ExecutionContext, world: ProviderWorld): Promise<{ spec: SessionSpec, watched: Watched }> {
  const fresh = world.freshSpec()
  const watched = new Watched(t, world.driver, fresh)
  await watched.first('qr')
  await world.scan(fresh)
  const { credentials, seq } = await watched.first('credentials')
  await watched.state('OPEN')
  return { spec: { ...fresh, credentials, ackedSeq: seq }, watched }
}

/** Behaviour of every driver of QR-paired numbers, whatever serves it. `title` names the implementation. */
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

type Story = (name: string, run: (t: ExecutionContext, world: ProviderWorld) => Promise<void>) => void

function pairingStories(story: Story): void {
  story('a number pairs by its code, and opens by its credentials without one', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    t.truthy(watched.all('qr')[0]?.qr)
    t.true((await watched.first('engine')).engine?.capabilities?.includes('text'))
    watched.session.close()
    const again = new Watched(t, world.driver, spec)
    await again.state('OPEN')
    t.deepEqual(again.all('qr'), [])
  })

  story('credentials that were unlinked close the session as logged out', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    await world.unlink(spec)
    t.is((await watched.state('CLOSE')).reason, 'logged_out')
    watched.session.close()
    const again = new Watched(t, world.driver, spec)
    t.is((await again.state('CLOSE')).reason, 'logged_out')
  })

  story('logout unlinks the device', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    t.deepEqual(await watched.session.logout(), { ok: true, value: null })
    watched.session.close()
    const again = new Watched(t, world.driver, spec)
    await again.state('CLOSE')
    t.is(again.all('state').some((event) => event.state === 'OPEN'), false)
  })
}

function linkStories(story: Story): void {
  story('a dropped link comes back by itself and the session is open again', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    await world.dropLink(spec)
    await watched.first('linkDown')
    await until('the link is back', () => watched.all('linkUp').length === 2)
    await until('the session is open again', () => watched.told.findLast((event) => event.type === 'state')?.state === 'OPEN')
    t.true((await watched.session.applySettings(spec.settings, spec.wantsStories)).ok)
  })

  story('what was told and not settled is told to the next session, what was settled is not', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    watched.session.close()
    const forgetful = new Watched(t, world.driver, spec, false)
    await forgetful.state('OPEN')
    const { externalCallId } = await world.callIn(spec)
    t.is((await forgetful.first('incomingCall')).externalCallId, externalCallId)
    forgetful.session.close()
    const next = new Watched(t, world.driver, spec)
    t.is((await next.first('incomingCall')).externalCallId, externalCallId)
    next.session.close()
    const last = new Watched(t, world.driver, spec)
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
    const { spec, watched } = await paired(t, world)
    const { credentials } = await watched.first('credentials')
    const offered = await watched.session.offerCall(world.ringingPeer, await world.offerSdp(), null, 'call_contract')
    if (!offered.ok) return t.fail(offered.error.message)
    const { externalCallId } = offered.value
    watched.session.close()
    const next = new Watched(t, world.driver, { ...spec, credentials })
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
    t.like(await watched.session.offerCall(world.unreachablePeer, await world.offerSdp()), { ok: false, error: { code: 'CALL_PEER_UNREACHABLE' } })
  })

  story('a number that is not paired cannot call', async (t, world) => {
    const watched = new Watched(t, world.driver, world.freshSpec())
    await watched.first('qr')
    t.like(await watched.session.offerCall(world.ringingPeer, await world.offerSdp()), { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } })
  })

  story('an incoming call is told with its offer, accepted, and ended by the peer', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const { externalCallId, from } = await world.callIn(spec)
    const incoming = await watched.first('incomingCall')
    t.like(incoming, { externalCallId, from })
    t.true((await watched.session.acceptCall(externalCallId, await world.answerSdp(incoming.sdp))).ok)
    await world.hangUp(externalCallId)
    t.like(await watched.first('callEnded'), { externalCallId, reason: 'hangup' })
  })

  story('a call that is over can be ended again, and not accepted', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const { externalCallId } = await world.callIn(spec)
    const { sdp } = await watched.first('incomingCall')
    t.true((await watched.session.rejectCall(externalCallId)).ok)
    t.deepEqual(await watched.session.terminateCall('call-nobody-knows'), { ok: true, value: null })
    t.false((await watched.session.acceptCall('call-nobody-knows', await world.answerSdp(sdp))).ok)
  })
}

function to(address: string, content: SendableContent, more: Partial<SendableMessage> = {}): SendableMessage {
  return message(content, { to: { type: 'DIRECT', address }, ...more })
}

function sendStories(story: Story): void {
  story('a message is taken once, delivered and read', async (t, world) => {
    const { watched } = await paired(t, world)
    const sending = to(world.readingPeer, text('hello'))
    const sent = await watched.session.sendMessage(sending)
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    t.deepEqual(await watched.session.sendMessage(sending), sent)
    const { externalMessageId } = sent
    await until('it is read', () => watched.all('messageStatus').some((event) => event.externalMessageId === externalMessageId && event.status === 'READ'))
    t.deepEqual(watched.all('messageStatus').map(({ status }) => status), ['SENT', 'DELIVERED', 'READ'])
    t.deepEqual(new Set(watched.all('messageStatus').map(({ messageId }) => messageId)), new Set([sending.messageId]))
    t.is((await world.inbox(world.readingPeer)).filter((got) => got['externalMessageId'] === externalMessageId).length, 1)
  })

  story('media, buttons and carousels reach a peer whole', async (t, world) => {
    const { watched } = await paired(t, world)
    const media = { path: '/nowhere', url: world.imageUrl, mimeType: 'image/png', sizeBytes: 4, fileName: 'a.png', waveform: [1, 2] }
    const buttons = [{ type: 'QUICK_REPLY', text: 'Yes', id: 'yes' }] as const
    const contents: readonly SendableContent[] = [
      { mode: 'media', kind: 'image', source: media, caption: 'look', fileName: null },
      { mode: 'media', kind: 'voice', source: { ...media, mimeType: 'audio/ogg' }, caption: null, fileName: null },
      text('choose', { buttons, header: 'head', footer: 'foot' }),
      { mode: 'carousel', text: 'cards', cards: [{ image: media, text: 'one', buttons }, { image: media, text: 'two', buttons }] },
      { mode: 'composed', header: 'head', body: 'filled', footer: 'foot', buttons: [{ ...buttons[0], id: 'button_1' }], file: null },
      { mode: 'composed', header: null, body: 'look', footer: null, buttons: [], file: { kind: 'image', source: media, fileName: null, isOwn: false } },
    ]
    const ids: string[] = []
    for (const content of contents) {
      const sent = await watched.session.sendMessage(to(world.readingPeer, content))
      if (sent.kind !== 'sent') return t.fail(`${content.mode}: ${sent.failure.message} ${sent.failure.details ?? ''}`)
      ids.push(sent.externalMessageId)
    }
    const got = (await world.inbox(world.readingPeer)).filter(({ externalMessageId }) => ids.includes(String(externalMessageId)))
    t.deepEqual(got.map(({ type }) => type), ['image', 'audio', 'text', 'carousel', 'text', 'image'])
    t.like(got[0]?.['content'], { text: 'look', media: { fileName: 'a.png' } })
    t.like(got[1]?.['content'], { media: { voice: true, waveform: [1, 2] } })
    t.like(got[2]?.['content'], { body: 'choose', text: 'head\n\nchoose\n\n• Yes\n\nfoot', buttons, header: 'head', footer: 'foot' })
    t.like(got[3]?.['content'], { body: 'cards', cards: { length: 2 } })
    t.like(got[4]?.['content'], { header: 'head', body: 'filled', footer: 'foot', buttons: [{ id: 'button_1' }], text: 'head\n\nfilled\n\n• Yes\n\nfoot' })
    t.like(got[5]?.['content'], { body: 'look', text: 'look', media: { fileName: 'a.png' } })
  })

  story('a message to nobody is refused, one to a group it is not in too', async (t, world) => {
    const { watched } = await paired(t, world)
    t.like(await watched.session.sendMessage(to(world.unreachablePeer, text('hello'))), { kind: 'refused', failure: { code: 'CHANNEL_NOT_EXIST' } })
    t.like(await watched.session.sendMessage(to('1@g.us', text('hello'), { to: { type: 'GROUP', address: '120363000000000000@g.us' } })), {
      kind: 'refused', failure: { code: 'INVALID_DESTINATION' },
    })
  })

  story('a message of a number that is not paired was not sent', async (t, world) => {
    const watched = new Watched(t, world.driver, world.freshSpec())
    await watched.first('qr')
    t.like(await watched.session.sendMessage(to(world.readingPeer, text('hello'))), { kind: 'unsent' })
  })
}

function receiveStories(story: Story): void {
  story('what a peer writes is told, and can be marked read', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const { externalMessageId } = await world.writeIn(spec, world.readingPeer, { type: 'text', text: 'hi', fromName: 'Ann', quoted: 'q1' })
    const told = await watched.first('messageReceived')
    t.like(told, {
      externalMessageId, from: world.readingPeer, fromName: 'Ann', to: spec.number, isFromMe: false, group: null, newsletter: null, isStory: false,
      isHistorical: false, messageType: 'text', content: { text: 'hi' }, quotedMessageId: 'q1',
    })
    t.true(Math.abs(told.at.getTime() - Date.now()) < 60_000)
    t.deepEqual(await watched.session.markRead([externalMessageId]), { ok: true, value: null })
  })

  story('what the owner writes on the phone is told as written by the number, and reaches the peer', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const { externalMessageId } = await world.writeElsewhere(spec, world.readingPeer, { text: 'from my pocket' })
    t.like(await watched.first('messageReceived'), {
      externalMessageId, isFromMe: true, from: spec.number, to: world.readingPeer, isHistorical: false, messageType: 'text', content: { text: 'from my pocket' },
    })
    await until('it is read', () => watched.all('messageStatus').some((event) => event.externalMessageId === externalMessageId && event.status === 'READ'))
    t.true((await world.inbox(world.readingPeer)).some((got) => got['externalMessageId'] === externalMessageId))
  })

  story('how the network thinks of the number is told', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    await world.tellHealth(spec, { level: 'restricted', code: '463', text: 'Nobody new can be written to' })
    t.deepEqual((await watched.first('health')).health, { level: 'restricted', code: '463', text: 'Nobody new can be written to' })
  })

  story('media, reactions, groups and channels are told as such', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const write = (body: Readonly<Record<string, unknown>>) => world.writeIn(spec, world.readingPeer, body)
    await write({ type: 'image', text: 'look', media: { url: world.imageUrl, mimeType: 'image/png' } })
    await write({ type: 'reaction', reaction: { messageId: 'm0', emoji: '👍' } })
    await write({ type: 'text', text: 'hi all', group: { id: '120363000000000001@g.us', name: 'Team' } })
    await write({ type: 'text', text: 'news', newsletter: { id: '120363000000000002@newsletter', name: 'News' } })
    await write({ type: 'text', text: 'old', historical: true })
    await until('all are told', () => watched.all('messageReceived').length === 5)
    const [image, reaction, group, channel, old] = watched.all('messageReceived')
    t.like(image, { messageType: 'image', content: { text: 'look', media: { id: null, url: world.imageUrl, mimeType: 'image/png' } } })
    t.like(reaction, { messageType: 'reaction', content: { reaction: { messageId: 'm0', emoji: '👍' } } })
    t.like(group, { from: world.readingPeer, group: { id: '120363000000000001@g.us', name: 'Team' } })
    t.like(channel, { from: '120363000000000002@newsletter', newsletter: { id: '120363000000000002@newsletter', name: 'News' } })
    t.like(old, { isHistorical: true })
  })

  story('a peer that writes back quotes what it got', async (t, world) => {
    const { watched } = await paired(t, world)
    const sent = await watched.session.sendMessage(to(world.echoingPeer, text('hello')))
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    t.like(await watched.first('messageReceived'), { from: world.echoingPeer, content: { text: 'hello' }, quotedMessageId: sent.externalMessageId })
  })

  story('status posts come only while they are wanted', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const post = (body: string) => world.writeIn(spec, world.readingPeer, { type: 'text', text: body, story: true })
    await post('unwanted')
    t.true((await watched.session.applySettings(spec.settings, true)).ok)
    await post('wanted')
    t.like(await watched.first('messageReceived'), { isStory: true, content: { text: 'wanted' } })
  })
}

function deviceStories(story: Story): void {
  const devicesOf = (session: ProviderSession): DeviceDirectory => {
    if (!session.devices) throw new Error('the driver has no devices')
    return session.devices
  }

  story('numbers are looked up', async (t, world) => {
    const { watched } = await paired(t, world)
    const checked = await devicesOf(watched.session).checkNumbers({ numbers: [world.readingPeer, world.unreachablePeer] })
    if (!checked.ok) return t.fail(checked.error.message)
    t.like(checked.value, { 0: { input: world.readingPeer, exists: true, number: world.readingPeer }, 1: { input: world.unreachablePeer, exists: false, number: null }, length: 2 })
  })

  story('a group is made, listed, read, changed and written to', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    const devices = devicesOf(watched.session)
    const made = await devices.createGroup({ subject: 'Team', participants: [world.readingPeer] })
    if (!made.ok) return t.fail(made.error.message)
    const { id } = made.value
    t.deepEqual(made.value.participants.map(({ number, isAdmin }) => [number, isAdmin]).toSorted(), [[spec.number, true], [world.readingPeer, false]].toSorted())
    t.deepEqual(await devices.listGroups({}), { ok: true, value: [{ id, name: 'Team' }] })
    t.deepEqual(await devices.getGroup({ groupId: id }), made)
    const changed = await devices.changeParticipants({ groupId: id, action: 'remove', participants: [world.readingPeer] })
    t.deepEqual(changed.ok && changed.value.participants.map(({ number }) => number), [spec.number])
    t.like(await watched.session.sendMessage(to(id, text('hi'), { to: { type: 'GROUP', address: id } })), { kind: 'sent' })
    t.like(await devices.getGroup({ groupId: '120363000000000000@g.us' }), { ok: false, error: { code: 'NOT_FOUND' } })
    t.like(await devices.createGroup({ subject: 'Team', participants: [world.unreachablePeer] }), { ok: false, error: { code: 'VALIDATION' } })
  })

  story('channels are listed', async (t, world) => {
    const { watched } = await paired(t, world)
    t.deepEqual(await devicesOf(watched.session).listNewsletters({}), { ok: true, value: [] })
  })

  story('a number that is not paired looks nothing up', async (t, world) => {
    const watched = new Watched(t, world.driver, world.freshSpec())
    await watched.first('qr')
    t.like(await devicesOf(watched.session).listGroups({}), { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } })
  })
}
