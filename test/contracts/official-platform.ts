import type { ExecutionContext, TestFn } from 'ava'
import type { Outcome } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { OfficialCallEvent, OfficialChange, OfficialCredentials, OfficialMessageEvent, OfficialPlatform } from '../../src/ports/official-platform.ts'
import type { ProviderDriver, ProviderEvent, ProviderSession } from '../../src/ports/provider.ts'
import { until } from '../helpers/until.ts'
import { mediaFile, message, text } from '../providers/sendables.ts'

/** What the suite needs of an upstream beside our client: the hands that act on its far side. */
export interface OfficialWorld {
  readonly platform: OfficialPlatform
  readonly driver: ProviderDriver
  /** A number of an account of its own, calling not enabled. */
  freshNumber(fields?: { readonly tier?: 'TIER_250' | 'TIER_2K' }): Promise<FreshNumber>
  /** Whether the app of the number gets the `calls` field. */
  offerCallsField(number: FreshNumber, isOffered: boolean): Promise<void>
  expireToken(number: FreshNumber): Promise<void>
  /** Requests of the number whose path begins so fail once. */
  failOnce(number: FreshNumber, edge: string, status: number, body: unknown): Promise<void>
  /** A callback that answers the challenge and takes signed posts, and what came to it, each change once. */
  callback(number: FreshNumber): Promise<{ readonly url: string, readonly verifyToken: string, readonly changes: readonly OfficialChange[] }>
  events(changes: readonly OfficialChange[]): OfficialCallEvent[]
  /** Digits of a user who answers after ringing, and of one who declines. */
  readonly answeringUser: string
  readonly decliningUser: string
  /** A user writes: `Hello`, or what is given. */
  writeIn(number: FreshNumber, user: string, message?: Readonly<Record<string, unknown>>): Promise<{ readonly externalMessageId: string }>
  /** The business writes to a user on its own phone. */
  echo(number: FreshNumber, user: string, text: string): Promise<void>
  messages(changes: readonly OfficialChange[]): OfficialMessageEvent[]
  /** Digits of users not written to by any other story: one who reads what comes, and one whose number has no account. */
  readonly readingUser: string
  readonly unknownUser: string
  /** What reached a user, oldest first. */
  inbox(user: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  permit(number: FreshNumber, user: string, response: 'accept' | 'reject' | 'revoke', isPermanent?: boolean): Promise<void>
  callIn(number: FreshNumber, user: string): Promise<{ readonly externalCallId: string }>
  hangUp(externalCallId: string): Promise<void>
  offerSdp(): Promise<string>
  answerSdp(offer: string): Promise<string>
  close(): Promise<void>
}

export interface FreshNumber {
  readonly number: string
  readonly credentials: OfficialCredentials
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.error)}`)
  return outcome.value
}

function refusalOf(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

class Line {
  readonly number: FreshNumber
  readonly session: ProviderSession
  readonly states: ProviderEvent[] = []
  readonly told: () => OfficialCallEvent[]
  readonly messages: () => OfficialMessageEvent[]

  constructor(world: OfficialWorld, number: FreshNumber, changes: readonly OfficialChange[]) {
    this.number = number
    this.told = () => world.events(changes)
    this.messages = () => world.messages(changes)
    this.session = world.driver.openSession({
      numberId: newId('num'), number: number.number, credentials: JSON.stringify(number.credentials),
      settings: DEFAULT_SETTINGS, historyImport: false, wantsStories: false, ackedSeq: 0,
    }, (event) => void this.states.push(event))
  }

  all<T extends OfficialCallEvent['type']>(type: T): Extract<OfficialCallEvent, { type: T }>[] {
    return this.told().filter((event): event is Extract<OfficialCallEvent, { type: T }> => event.type === type)
  }

  async first<T extends OfficialCallEvent['type']>(type: T): Promise<Extract<OfficialCallEvent, { type: T }>> {
    return until(`${type} is told`, () => this.all(type)[0])
  }
}

function received(line: Line) {
  return line.messages().filter((event) => event.type === 'messageReceived')
}

function statuses(line: Line, externalMessageId: string) {
  return line.messages().filter((event) => event.type === 'messageStatus').filter((event) => event.externalMessageId === externalMessageId)
}

/** A number that is subscribed and may call, with a session over it. */
async function connected(t: ExecutionContext, world: OfficialWorld): Promise<Line> {
  const number = await world.freshNumber()
  const { url, verifyToken, changes } = await world.callback(number)
  valueOf(await world.platform.subscribe(number.credentials, url, verifyToken))
  t.is(valueOf(await world.platform.enableCalling(number.credentials)), 'ENABLED')
  const line = new Line(world, number, changes)
  t.teardown(() => line.session.close())
  return line
}

type Story = (name: string, run: (t: ExecutionContext, world: OfficialWorld) => Promise<void>) => void

/** Behaviour of the client of the official platform, whatever serves it. `title` names the upstream. */
export function testOfficialPlatform(test: TestFn, title: string, start: () => Promise<OfficialWorld>): void {
  const story: Story = (name, run) => {
    test(`${title}: ${name}`, async (t) => {
      const world = await start()
      t.teardown(() => world.close())
      await run(t, world)
    })
  }
  numberStories(story)
  permissionStories(story)
  outboundStories(story)
  inboundStories(story)
  sendStories(story)
  receiveStories(story)
}

function numberStories(story: Story): void {
  story('health tells the number, its tier and its state', async (t, world) => {
    const { number, credentials } = await world.freshNumber()
    const health = valueOf(await world.platform.readHealth(credentials))
    t.like(health, { number, messagingLimitTier: 'TIER_2K', officialStatus: 'CONNECTED' })
  })

  story('a wrong token, phone or account is rejected with the reason', async (t, world) => {
    const { credentials } = await world.freshNumber()
    const other = await world.freshNumber()
    for (const wrong of [{ accessToken: 'EAAGwrong' }, { phoneId: '1' }, { accountId: other.credentials.accountId }, { accountId: '1' }]) {
      const error = refusalOf(await world.platform.readHealth({ ...credentials, ...wrong }))
      t.is(error?.code, 'OFFICIAL_CREDENTIALS_REJECTED', JSON.stringify(wrong))
      t.regex(JSON.stringify(error?.details), /"upstreamMessage":".+"/)
    }
  })

  story('a callback that does not know the token is not subscribed', async (t, world) => {
    const number = await world.freshNumber()
    const { url } = await world.callback(number)
    t.like(refusalOf(await world.platform.subscribe(number.credentials, url, 'another token')), { code: 'OFFICIAL_CREDENTIALS_REJECTED' })
  })

  story('calling waits for the tier, then for the webhook field, then it is on', async (t, world) => {
    const low = await world.freshNumber({ tier: 'TIER_250' })
    t.is(valueOf(await world.platform.enableCalling(low.credentials)), 'PENDING_TIER')
    const number = await world.freshNumber()
    await world.offerCallsField(number, false)
    t.is(valueOf(await world.platform.enableCalling(number.credentials)), 'PENDING_WEBHOOK')
    await world.offerCallsField(number, true)
    const { url, verifyToken } = await world.callback(number)
    valueOf(await world.platform.subscribe(number.credentials, url, verifyToken))
    t.is(valueOf(await world.platform.enableCalling(number.credentials)), 'ENABLED')
  })

  story('settings are written in part and read back', async (t, world) => {
    const { number } = await connected(t, world)
    const written = valueOf(await world.platform.writeCallSettings(number.credentials, { call_icon_visibility: 'DISABLE_ALL' }))
    t.like(written, { status: 'ENABLED', call_icon_visibility: 'DISABLE_ALL' })
    t.deepEqual(valueOf(await world.platform.readCallSettings(number.credentials)), written)
    t.false('sip' in written)
    t.like(refusalOf(await world.platform.writeCallSettings(number.credentials, { status: 'SOMETIMES' })), { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 100 } })
  })

  story('a read outlives a fault of upstream, a call does not', async (t, world) => {
    const { number, session } = await connected(t, world)
    await world.failOnce(number, 'settings', 500, { error: { message: 'x', code: 2 } })
    t.true((await world.platform.readCallSettings(number.credentials)).ok)
    await world.permit(number, world.answeringUser, 'accept')
    await world.failOnce(number, 'calls', 500, { error: { message: 'x', code: 131000 } })
    t.like(refusalOf(await session.offerCall(world.answeringUser, await world.offerSdp())), { code: 'OFFICIAL_ERROR', details: { upstreamCode: 131000 } })
  })

  story('an expired token closes the session', async (t, world) => {
    const line = await connected(t, world)
    await until('the session is open', () => line.states.some((event) => event.type === 'state' && event.state === 'OPEN'))
    await world.expireToken(line.number)
    t.like(refusalOf(await line.session.terminateCall('wacid.A')), { details: { upstreamCode: 190 } })
    t.like(line.states.at(-1), { type: 'state', state: 'CLOSE' })
  })
}

function permissionStories(story: Story): void {
  story('a permission is asked for in the window, granted, probed and revoked', async (t, world) => {
    const line = await connected(t, world)
    const { credentials } = line.number
    const user = world.answeringUser
    const probe = async () => valueOf(await world.platform.readCallPermission(credentials, user))
    t.is((await probe()).permission.status, 'no_permission')
    t.like(refusalOf(await world.platform.requestCallPermission(credentials, user, 'May we call?')), { code: 'OFFICIAL_OUTSIDE_24H_WINDOW' })
    await world.writeIn(line.number, user)
    t.true(valueOf(await world.platform.requestCallPermission(credentials, user, 'May we call?')).messageId.startsWith('wamid.'))
    t.like(refusalOf(await world.platform.requestCallPermission(credentials, user, 'May we?')), { code: 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT' })
    const granted = await line.first('permissionChanged')
    t.like(granted, { peer: user, status: 'TEMPORARY' })
    const { permission, actions } = await probe()
    t.is(permission.status, 'temporary')
    t.is(permission.expiration_time, (granted.expiresAt?.getTime() ?? 0) / 1000)
    t.true(actions.find(({ action_name }) => action_name === 'start_call')?.can_perform_action)
    await world.permit(line.number, user, 'accept', true)
    await world.permit(line.number, user, 'revoke')
    await until('all changes are told', () => line.all('permissionChanged').length === 3)
    t.deepEqual(line.all('permissionChanged').map(({ status }) => status).toSorted(), ['NO_PERMISSION', 'PERMANENT', 'TEMPORARY'])
  })
}

function outboundStories(story: Story): void {
  story('a call without permission is refused', async (t, world) => {
    const { session } = await connected(t, world)
    t.like(refusalOf(await session.offerCall(world.answeringUser, await world.offerSdp())), { code: 'OFFICIAL_CALL_PERMISSION_REQUIRED', details: { upstreamCode: 138006 } })
  })

  story('a call before calling is enabled is refused', async (t, world) => {
    const line = new Line(world, await world.freshNumber(), [])
    t.teardown(() => line.session.close())
    t.like(refusalOf(await line.session.offerCall(world.answeringUser, await world.offerSdp())), { code: 'OFFICIAL_CALLING_NOT_ENABLED' })
  })

  story('text that is no SDP is refused', async (t, world) => {
    const { number, session } = await connected(t, world)
    await world.permit(number, world.answeringUser, 'accept')
    t.like(refusalOf(await session.offerCall(world.answeringUser, 'hello')), { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 100 } })
  })

  story('a call rings, brings its answer, is accepted and ended, each told once', async (t, world) => {
    const line = await connected(t, world)
    await world.permit(line.number, world.answeringUser, 'accept')
    const { externalCallId } = valueOf(await line.session.offerCall(world.answeringUser, await world.offerSdp(), 'order-1'))
    t.is((await line.first('callRinging')).externalCallId, externalCallId)
    t.true((await line.first('callSdp')).sdp.startsWith('v=0'))
    t.is((await line.first('callAccepted')).externalCallId, externalCallId)
    valueOf(await line.session.terminateCall(externalCallId))
    const ended = await line.first('callEnded')
    t.like(ended, { externalCallId, reason: 'hangup', end: { direction: 'OUTBOUND', isAnswered: true, bizOpaqueCallbackData: 'order-1', failure: null } })
    t.is(typeof ended.end.durationSeconds, 'number')
    t.true((await line.session.terminateCall(externalCallId)).ok)
    for (const type of ['callRinging', 'callSdp', 'callAccepted', 'callEnded'] as const) t.is(line.all(type).length, 1, type)
  })

  story('a declined call is told as declined', async (t, world) => {
    const line = await connected(t, world)
    await world.permit(line.number, world.decliningUser, 'accept')
    const { externalCallId } = valueOf(await line.session.offerCall(world.decliningUser, await world.offerSdp()))
    const declined = await until('the decline is told', () => line.all('callEnded').find(({ reason }) => reason === 'declined'))
    t.is(declined.externalCallId, externalCallId)
    t.is(line.all('callAccepted').length, 0)
  })

  story('a call upstream never heard of has ended', async (t, world) => {
    const { session } = await connected(t, world)
    t.true((await session.terminateCall('wacid.unknown')).ok)
    t.true((await session.rejectCall('wacid.unknown')).ok)
  })
}

function inboundStories(story: Story): void {
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
    t.like(await line.first('callEnded'), { externalCallId, reason: 'hangup', end: { direction: 'INBOUND', isAnswered: true } })
    t.like(refusalOf(await line.session.acceptCall(externalCallId, answer)), { code: 'OFFICIAL_REQUEST_REFUSED' })
  })

  story('a call of a user who gives up was not answered', async (t, world) => {
    const line = await connected(t, world)
    const { externalCallId } = await world.callIn(line.number, world.answeringUser)
    await line.first('incomingCall')
    await world.hangUp(externalCallId)
    t.like(await line.first('callEnded'), { externalCallId, reason: 'canceled', end: { isAnswered: false, durationSeconds: null } })
  })

  story('a rejected call of a user ends', async (t, world) => {
    const line = await connected(t, world)
    const { externalCallId } = await world.callIn(line.number, world.answeringUser)
    await line.first('incomingCall')
    valueOf(await line.session.rejectCall(externalCallId))
    t.like(await line.first('callEnded'), { externalCallId, end: { isAnswered: false } })
  })
}

function sendStories(story: Story): void {
  story('a message in the window is delivered and read, told by its upstream id and by ours', async (t, world) => {
    const line = await connected(t, world)
    const { externalMessageId: quotedMessageId } = await world.writeIn(line.number, world.readingUser)
    const sending = { ...message(text('See https://example.com')), to: { type: 'DIRECT', address: world.readingUser }, quotedMessageId } as const
    const sent = await line.session.sendMessage(sending)
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    await until('all statuses are told', () => statuses(line, sent.externalMessageId).length === 3)
    t.deepEqual(statuses(line, sent.externalMessageId).map(({ status }) => status).toSorted(), ['DELIVERED', 'READ', 'SENT'])
    for (const { messageId } of statuses(line, sent.externalMessageId)) t.is(messageId, sending.messageId)
    t.like((await world.inbox(world.readingUser)).at(-1), { text: 'See https://example.com', quoted: quotedMessageId })
  })

  story('media, buttons and carousels reach a user', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.readingUser)
    const image = await mediaFile(t, 'a.jpg', 'image/jpeg')
    const sound = await mediaFile(t, 'a.ogg', 'audio/ogg')
    const paper = await mediaFile(t, 'a.pdf', 'application/pdf')
    const buttons = [{ type: 'QUICK_REPLY', text: 'Yes', id: 'yes' }] as const
    const contents = [
      { mode: 'media', kind: 'image', media: image, caption: 'look', fileName: null },
      { mode: 'media', kind: 'voice', media: sound, caption: null, fileName: null },
      { mode: 'media', kind: 'document', media: paper, caption: null, fileName: 'named.pdf' },
      text('choose', { buttons, header: 'head', footer: 'foot' }),
      text('go', { buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com' }] }),
      { mode: 'carousel', text: 'cards', cards: [{ image, text: 'one', buttons }, { image, text: 'two', buttons }] },
    ] as const
    for (const content of contents) {
      const sent = await line.session.sendMessage({ ...message(content), to: { type: 'DIRECT', address: world.readingUser } })
      if (sent.kind !== 'sent') return t.fail(`${content.mode}: ${sent.failure.message}`)
      await until('it is read', () => statuses(line, sent.externalMessageId).some(({ status }) => status === 'READ'))
    }
    const got = (await world.inbox(world.readingUser)).slice(-contents.length)
    t.deepEqual(got.map(({ type }) => type), ['image', 'audio', 'document', 'interactive', 'interactive', 'interactive'])
  })

  story('a message outside the window is refused', async (t, world) => {
    const line = await connected(t, world)
    t.like(await line.session.sendMessage({ ...message(text('hello')), to: { type: 'DIRECT', address: world.readingUser } }), {
      kind: 'refused', failure: { code: 'OFFICIAL_OUTSIDE_24H_WINDOW', upstreamCode: 131047 },
    })
  })

  story('a message to a number without account is taken and fails later', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.unknownUser)
    const sent = await line.session.sendMessage({ ...message(text('hello')), to: { type: 'DIRECT', address: world.unknownUser } })
    if (sent.kind !== 'sent') return t.fail(sent.failure.message)
    const failed = await until('it fails', () => statuses(line, sent.externalMessageId).find(({ status }) => status === 'FAILED'))
    t.like(failed, { failure: { code: 'CHANNEL_NOT_EXIST', upstreamCode: 131026 } })
  })

  story('a file upstream does not take is refused', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.readingUser)
    const media = await mediaFile(t, 'a.webm', 'video/webm')
    t.like(await line.session.sendMessage({ ...message({ mode: 'media', kind: 'video', media, caption: null, fileName: null }), to: { type: 'DIRECT', address: world.readingUser } }), {
      kind: 'refused', failure: { code: 'OFFICIAL_MEDIA_UPLOAD_ERROR', upstreamCode: 100 },
    })
  })

  story('throttling and faults of upstream send nothing', async (t, world) => {
    const line = await connected(t, world)
    await world.writeIn(line.number, world.readingUser)
    const send = () => line.session.sendMessage({ ...message(text('hello')), to: { type: 'DIRECT', address: world.readingUser } })
    await world.failOnce(line.number, 'messages', 400, { error: { message: 'x', code: 131056 } })
    t.like(await send(), { kind: 'throttled', scope: 'pair' })
    await world.failOnce(line.number, 'messages', 500, { error: { message: 'x', code: 131000 } })
    t.like(await send(), { kind: 'unsent' })
    t.like(await send(), { kind: 'sent' })
  })
}

function receiveStories(story: Story): void {
  story('what a user writes is told once, and can be marked read', async (t, world) => {
    const line = await connected(t, world)
    const { externalMessageId } = await world.writeIn(line.number, world.readingUser, { type: 'text', text: 'hi', fromName: 'Ann', referral: { source_id: '1', source_type: 'ad' } })
    const told = await until('it is told', () => received(line)[0])
    t.like(told, {
      externalMessageId, from: world.readingUser, fromName: 'Ann', to: line.number.number, isFromMe: false, messageType: 'text',
      content: { text: 'hi', referral: { source_id: '1', source_type: 'ad' } },
    })
    t.deepEqual(await line.session.markRead([externalMessageId]), { ok: true, value: null })
    t.false((await line.session.markRead(['wamid.unknown'])).ok)
    t.is(received(line).length, 1)
  })

  story('a media of a user is downloaded by its id, by its own phone alone', async (t, world) => {
    const line = await connected(t, world)
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0, 10])
    await world.writeIn(line.number, world.readingUser, { type: 'image', text: 'look', media: { base64: bytes.toString('base64'), mimeType: 'image/jpeg' } })
    const told = await until('it is told', () => received(line)[0])
    t.like(told, { messageType: 'image', content: { text: 'look', media: { url: null, mimeType: 'image/jpeg' } } })
    const mediaId = told.content.media?.id ?? ''
    t.deepEqual(valueOf(await world.platform.readMedia(line.number.credentials, mediaId)), { bytes, mimeType: 'image/jpeg', fileName: null })
    const other = await world.freshNumber()
    t.like(refusalOf(await world.platform.readMedia(other.credentials, mediaId)), { code: 'NOT_FOUND' })
    t.like(refusalOf(await world.platform.readMedia(line.number.credentials, '1')), { code: 'NOT_FOUND' })
  })

  story('what the business writes on its own phone is told as its own', async (t, world) => {
    const line = await connected(t, world)
    await world.echo(line.number, world.readingUser, 'from the phone')
    const told = await until('it is told', () => received(line)[0])
    t.like(told, { isFromMe: true, from: line.number.number, to: world.readingUser, content: { text: 'from the phone' } })
  })
}
