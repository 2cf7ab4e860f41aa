import test from 'ava'
import type { BridgeOp } from '../../../src/domain/device-bridge.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import { readEngineFacts } from '../../../src/providers/unofficial/engine-facts.ts'
import { until } from '../../helpers/until.ts'
import { probe, sequenced } from '../session-probe.ts'
import type { Probe } from '../session-probe.ts'
import { message, text } from '../../helpers/sendables.ts'

const TOLD = {
  engine: { name: 'paper', version: '2.1' },
  capabilities: ['text', 'calls', 'telepathy'],
  callMedia: ['pcm16', 'smoke'],
}
const FACTS = { name: 'paper', version: '2.1', capabilities: ['text', 'calls'], callMedia: ['pcm16'] } as const

const FORMS: readonly (readonly [what: string, result: unknown, facts: unknown])[] = [
  ['all of it', TOLD, FACTS],
  ['nothing', {}, null],
  ['no object', 'paper', null],
  ['null', null, null],
  [
    'a name alone',
    { engine: { name: 'paper' } },
    { name: 'paper', version: null, capabilities: null, callMedia: null },
  ],
  [
    'capabilities alone',
    { capabilities: ['text'] },
    { name: null, version: null, capabilities: ['text'], callMedia: null },
  ],
  [
    'capabilities of another form',
    { engine: { name: 'paper', version: 7 }, capabilities: 'text' },
    { name: 'paper', version: null, capabilities: null, callMedia: null },
  ],
  [
    'words among other things',
    { capabilities: ['text', 7, null, ['media'], 'text'] },
    { name: null, version: null, capabilities: ['text'], callMedia: null },
  ],
  [
    'a name without end',
    { engine: { name: 'x'.repeat(10_000), version: '' } },
    { name: 'x'.repeat(100), version: null, capabilities: null, callMedia: null },
  ],
]

for (const [what, result, facts] of FORMS) {
  test(`an engine that says ${what} of itself is read as far as it can be`, (t) => {
    t.deepEqual(readEngineFacts(result) as unknown, facts)
  })
}

/** A session whose engine describes itself in this way and answers requests with `answers`. */
async function told(
  t: Parameters<typeof probe>[0],
  self: unknown = TOLD,
  answers: Partial<Record<BridgeOp, Parameters<Probe['engine']['onRequest']>[0] | object>> = {},
): Promise<Probe> {
  const made = await probe(t)
  made.engine.onRequest = ({ op }) => {
    const answer = (answers as Record<string, unknown>)[op]
    return op === 'session.start' ? { result: self } : (answer as { result: unknown } | undefined)
  }
  return made
}

test("an engine's description of itself is told before the link is up, and again only when it changes", async (t) => {
  const { engine, number, told: events } = await told(t)
  await until('up', () => events.some(({ type }) => type === 'linkUp'))
  t.deepEqual(events[0], { type: 'engine', engine: FACTS })
  number.drop()
  await until('up again', () => events.filter(({ type }) => type === 'linkUp').length === 2)
  t.is(events.filter(({ type }) => type === 'engine').length, 1)
  engine.onRequest = () => undefined
  number.drop()
  await until('it says nothing any more', () => events.filter(({ type }) => type === 'engine').length === 2)
  t.deepEqual(
    events.findLast(({ type }) => type === 'engine'),
    { type: 'engine', engine: null },
  )
})

test('known facts about an engine are not told again', async (t) => {
  const { engine, reopen, session } = await told(t)
  session.close()
  const next = reopen({ engine: FACTS })
  await until('up', () => next.told.some(({ type }) => type === 'linkUp'))
  t.is(
    next.told.some(({ type }) => type === 'engine'),
    false,
  )
  t.is(engine.numbers.size, 1)
})

test('an operation that the engine says it lacks is refused without asking it', async (t) => {
  const { number, session, told: events } = await told(t)
  await until('up', () => events.some(({ type }) => type === 'linkUp'))
  const refusal = (capability: string) => ({
    ok: false,
    error: { code: 'FEATURE_NOT_SUPPORTED', details: { engine: 'paper', capability } },
  })
  t.like(await session.offerCall('5511988880001', 'v=0'), refusal('callAudio'))
  t.like(await session.acceptCall('c1', 'v=0'), refusal('callAudio'))
  t.like(await session.devices?.listGroups?.({}), refusal('groups'))
  t.like(await session.devices?.createGroup?.({ subject: 'Team', participants: [] }), refusal('groups'))
  t.like(await session.devices?.listNewsletters?.({}), refusal('newsletters'))
  const media = {
    path: '/nowhere',
    url: 'http://gateway/1',
    mimeType: 'image/png',
    sizeBytes: 4,
    fileName: 'a.png',
    waveform: null,
  }
  t.like(
    await session.sendMessage(message({ mode: 'media', kind: 'image', source: media, caption: null, fileName: null })),
    {
      kind: 'refused',
      failure: { code: 'MEDIA_UNSUPPORTED' },
    },
  )
  t.true((await session.rejectCall('c1')).ok, 'a call can be declined without audio')
  t.deepEqual([...new Set(number.requests.map(({ op }) => op))], ['session.start', 'call.reject'])
})

test('an engine that names no capabilities is asked, and its refusal names what it lacks', async (t) => {
  const refusing = (code: string) => ({ error: { code, message: 'no' } })
  const { session } = await told(
    t,
    { engine: { name: 'paper' } },
    {
      'call.offer': refusing('CALL_AUDIO_UNSUPPORTED'),
      'call.accept': refusing('UNSUPPORTED'),
      'group.list': refusing('UNSUPPORTED'),
      'message.read': refusing('UNSUPPORTED'),
    },
  )
  const refusal = (capability: string) => ({
    ok: false,
    error: { code: 'FEATURE_NOT_SUPPORTED', details: { engine: 'paper', capability } },
  })
  t.like(await session.offerCall('5511988880001', 'v=0'), refusal('callAudio'))
  t.like(await session.acceptCall('c1', 'v=0'), refusal('callAudio'))
  t.like(await session.devices?.listGroups?.({}), refusal('groups'))
  const read = await session.markRead(['m1'])
  t.is(read.ok ? null : read.error.code, 'FEATURE_NOT_SUPPORTED')
  t.is(read.ok ? null : read.error.details, undefined)
})

// [engines.bridge.8]
test('an engine is told whether stories, groups and newsletters are wanted', async (t) => {
  const { number, session, opening, told: events } = await told(t)
  await until('up', () => events.some(({ type }) => type === 'linkUp'))
  t.true((await session.applySettings({ ...DEFAULT_SETTINGS, ignoreGroups: true, ignoreNewsletters: true }, true)).ok)
  t.true((await session.applySettings({ ...DEFAULT_SETTINGS, ignoreStatus: true }, true)).ok)
  const asked = [...number.opsOf('session.start'), ...number.opsOf('settings.set')].map(
    ({ settings }) => settings as Record<string, unknown>,
  )
  t.deepEqual(
    asked.map(({ stories, groups, newsletters }) => ({ stories, groups, newsletters })),
    [
      { stories: opening.wantsStories, groups: true, newsletters: true },
      { stories: true, groups: false, newsletters: false },
      { stories: false, groups: true, newsletters: true },
    ],
  )
})

test('how the network thinks of a number is told each time; what is longer than anybody reads is cut', async (t) => {
  const { number, told: events } = await told(t)
  await until('up', () => events.some(({ type }) => type === 'linkUp'))
  number.emit({ ev: 'session.health', level: 'warning', code: 'throttled', text: 'x'.repeat(2_000) })
  number.emit({ ev: 'session.health', level: 'ok' })
  number.emit({ ev: 'session.health', level: 'splendid' } as never)
  number.raw({ ev: 'session.health', level: 'ok', seq: 2 })
  await until('it is told', () => sequenced(events).length === 3)
  t.deepEqual(
    sequenced(events).map((event) => event.type === 'health' && event.health),
    [
      { level: 'warning', code: 'throttled', text: 'x'.repeat(500) },
      { level: 'ok', code: null, text: null },
      { level: 'ok', code: null, text: null },
    ],
  )
})

test('a call of an engine without audio is told, although it offers none', async (t) => {
  const { number, told: events } = await told(t)
  await until('up', () => events.some(({ type }) => type === 'linkUp'))
  number.emit({ ev: 'call.incoming', callId: 'c1', from: '5511988880001' })
  number.emit({ ev: 'call.incoming', callId: 'c2', from: '5511988880001', media: null })
  await until('both are told', () => sequenced(events).length === 2)
  t.deepEqual(
    sequenced(events).map((event) => event.type === 'incomingCall' && [event.externalCallId, event.sdp]),
    [
      ['c1', ''],
      ['c2', ''],
    ],
  )
})

test('a text is sent by an engine without media', async (t) => {
  const { session } = await told(t, TOLD, { 'message.send': { result: { externalMessageId: 'm1' } } })
  t.like(await session.sendMessage(message(text('hi'))), { kind: 'sent', externalMessageId: 'm1' })
})
