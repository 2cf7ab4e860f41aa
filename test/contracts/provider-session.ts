import type { ExecutionContext, TestFn } from 'ava'
import type { ProviderDriver, ProviderEvent, ProviderSession, SessionSpec } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'

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
}

type Story = (name: string, run: (t: ExecutionContext, world: ProviderWorld) => Promise<void>) => void

function pairingStories(story: Story): void {
  story('a number pairs by its code, and opens by its credentials without one', async (t, world) => {
    const { spec, watched } = await paired(t, world)
    t.truthy(watched.all('qr')[0]?.qr)
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
    t.true((await watched.session.applySettings(spec.settings)).ok)
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
