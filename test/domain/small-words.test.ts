import test from 'ava'
import { betterOfTwo } from '../../src/domain/better-of-two.ts'
import { shownName } from '../../src/domain/document-name.ts'
import { sharesPublicOrigin } from '../../src/domain/embed-origin.ts'
import { lacks, notOfEngine } from '../../src/domain/engine.ts'
import { bodyOf } from '../../src/domain/envelope.ts'
import { fileIdIn } from '../../src/domain/file-address.ts'
import { handlerOf, HANDLING_ROLES, mayHandle } from '../../src/domain/handling.ts'
import { isLogoKey, logoFileName } from '../../src/domain/logo.ts'
import { dataUriHead, isDataUri, isMediaSource, isWebUrl, unfolded } from '../../src/domain/media-text.ts'
import { linkHandle } from '../../src/domain/pairing.ts'
import { polyphaseFilter } from '../../src/domain/polyphase.ts'
import { recordingUrl } from '../../src/domain/recording.ts'
import { isDiskFull, StoreAway, unlessAway, type AwayKind } from '../../src/domain/store-away.ts'
import { thrownFields, thrownName } from '../../src/domain/thrown.ts'
import { readOtlpHeaders } from '../../src/domain/trace-settings.ts'
import { reportOf } from '../../src/domain/usage-report.ts'
import { usageOf } from '../../src/domain/usage.ts'
import { makeVerifyToken } from '../../src/domain/verify-token.ts'
import { canonicalAddress, hasCredentials } from '../../src/domain/web-address.ts'

test('of two that chance drew the better one is taken, and of equals the first', (t) => {
  const drawn = (items: readonly number[], ...draws: readonly number[]) => {
    const rest = [...draws]
    return betterOfTwo(
      items,
      (one, than) => one < than,
      () => rest.shift() ?? 0,
    )
  }
  t.is(drawn([]), null)
  t.is(drawn([7]), 7)
  t.is(drawn([3, 2, 1], 0, 0), 2)
  t.is(drawn([3, 2, 1], 0, 0.5), 1)
  t.is(drawn([3, 2, 1], 0.34, 0.5), 2, 'the second and the first')
  t.is(drawn([3, 2, 1], 0.99, 0), 1, 'the third and the first')
  t.deepEqual(
    betterOfTwo(
      ['a', 'b'],
      () => false,
      () => 0,
    ),
    'a',
  )
})

test('a file is shown by its own name, with the extension of its content', (t) => {
  const rows: readonly [string | null, string, string][] = [
    [null, 'document.pdf', 'document.pdf'],
    [' . ', 'document.pdf', 'document.pdf'],
    ['Bill', 'bill.pdf', 'Bill.pdf'],
    ['Bill.PDF', 'bill.pdf', 'Bill.PDF'],
    ['Bill. ', 'bill.pdf', 'Bill.pdf'],
    ['v1.2 final', 'v1.pdf', 'v1.2 final.pdf'],
  ]
  for (const [given, safe, shown] of rows) t.is(shownName(given, safe), shown)
})

// [configuration.start.3]
test('a public address may not share its origin with a page that others frame', (t) => {
  t.true(sharesPublicOrigin('https://a.io/x', ['https://b.io', 'https://a.io/embed']))
  t.true(sharesPublicOrigin('http://a.io', ['http://a.io']))
  t.true(sharesPublicOrigin('https://localhost', ['https://localhost/']))
  t.false(sharesPublicOrigin('http://localhost:1', ['http://localhost:1']))
  t.false(sharesPublicOrigin('https://a.io', ['https://a.io:444', 'http://a.io']))
  t.false(sharesPublicOrigin('https://a.io', []))
})

test('an engine that names no capabilities is asked, and one that lacks one is named', (t) => {
  const engine = { name: 'ours', version: '1', capabilities: ['text'], callMedia: null } as const
  t.deepEqual([lacks(engine, 'text'), lacks(engine, 'polls')], [false, true])
  t.deepEqual([lacks(null, 'polls'), lacks({ ...engine, capabilities: null }, 'polls')], [false, false])
  t.deepEqual(notOfEngine(engine, 'polls'), {
    code: 'FEATURE_NOT_SUPPORTED',
    message: 'The engine of this number does not support this.',
    details: { engine: 'ours', capability: 'polls' },
  })
  t.like(notOfEngine(null, 'polls'), { details: { engine: null } })
})

// [events.envelope.1] [events.native.2]
test('the body of a delivery is an envelope, or what upstream wrote', (t) => {
  const event = {
    id: 'evt_1',
    event: 'call.ended',
    numberId: 'num_1',
    createdAt: new Date(0),
    data: { id: 'call_1' },
  } as const
  t.is(
    bodyOf(event),
    '{"id":"evt_1","event":"call.ended","channelNumberId":"num_1","timestamp":"1970-01-01T00:00:00.000Z","data":{"id":"call_1"}}',
  )
  t.is(bodyOf({ ...event, upstreamBody: '{ "a" : 1 }' }), '{ "a" : 1 }')
})

// [handling.assignment.2]
test('people who may answer are assigned conversations while they are active', (t) => {
  t.deepEqual(HANDLING_ROLES, ['OWNER', 'ADMIN', 'AGENT'])
  t.true(mayHandle({ status: 'ACTIVE', role: 'AGENT' }))
  t.false(mayHandle({ status: 'ACTIVE', role: 'ANALYST' }))
  t.false(mayHandle({ status: 'DISABLED', role: 'AGENT' }))
  t.deepEqual(handlerOf({ id: 'usr_1', name: 'Ana', email: 'a@b.io' }), { id: 'usr_1', name: 'Ana' })
  t.deepEqual(handlerOf({ id: 'usr_1', name: null, email: 'a@b.io' }), { id: 'usr_1', name: 'a@b.io' })
})

// [branding.logo.6]
test('a logo has a key without a path, and a name without what could mislead', (t) => {
  const key = '0'.repeat(26)
  for (const type of ['png', 'jpg', 'webp']) t.true(isLogoKey(`${key}.${type}`))
  for (const odd of [
    key,
    `${key}.gif`,
    `${key.slice(1)}.png`,
    `x/${key}.png`,
    `${key}.png/`,
    `${key.toUpperCase()}A.png`,
  ])
    t.false(isLogoKey(odd), odd)
  t.is(logoFileName('C:\\pictures/my logo.png ', 'png'), 'my logo.png')
  t.is(logoFileName('a\u202E\u0000b.png', 'png'), 'ab.png')
  for (const empty of ['', '/', ' .. ', '...']) t.is(logoFileName(empty, 'webp'), 'logo.webp')
  t.is(logoFileName('é'.repeat(121), 'png'), 'é'.repeat(120))
})

// [messages.modes.2]
test('media come from an address on the web, or as a data URI in base64', (t) => {
  for (const url of ['https://a.io/x', 'HTTP://a.io', `https://a.io/${'x'.repeat(1_000)}`])
    t.true(isMediaSource(url), url)
  for (const odd of [
    '',
    'ftp://a.io',
    'https://',
    'a.io',
    ' https://a.io',
    'data:text/plain,abc',
    `https://${'a/'.repeat(9_000)}`,
  ])
    t.false(isMediaSource(odd), odd.slice(0, 40))
  t.deepEqual([isDataUri(' DATA:x'), isDataUri('xdata:'), isWebUrl('data:x')], [true, false, false])
  const head = 'data:audio/webm;codecs="vp8,opus" ; base64 ,'
  t.is(dataUriHead(`${head}AAAA`), head.length)
  t.is(dataUriHead(`\n${head}AAAA`), head.length + 1)
  t.is(dataUriHead('data:a\u0000;base64,AAAA'), 0)
  t.is(dataUriHead(`data:${'x'.repeat(1_020)};base64,AAAA`), 0)
  t.true(isMediaSource(`${head}AAAA`))
  t.is(unfolded('AA\r\nBB \tCC\f'), 'AABBCC')
  t.is(unfolded('AABB'), 'AABB')
})

test('the filter of two rates has a phase for each output, and leaves the level as it is', (t) => {
  const { up, down, taps, phases } = polyphaseFilter(8_000, 16_000)
  t.deepEqual([up, down, taps, phases.length], [2, 1, 32, 2])
  const slower = polyphaseFilter(48_000, 16_000)
  t.deepEqual([slower.up, slower.down, slower.taps], [1, 3, 96])
  const odd = polyphaseFilter(44_100, 48_000)
  t.deepEqual([odd.up, odd.down, odd.taps], [160, 147, 32])
  for (const { phases: all } of [polyphaseFilter(8_000, 16_000), slower, odd])
    for (const phase of all) t.true(Math.abs(phase.reduce((sum, one) => sum + one, 0) - 1) < 1e-5)
  t.is(polyphaseFilter(8_000, 16_000), polyphaseFilter(8_000, 16_000), 'it is made once')
  const [first] = phases
  t.is(first?.indexOf(Math.max(...first)), 15, 'an output at a sample is mostly that sample')
})

test('names of things that stand in addresses', (t) => {
  t.is(recordingUrl('call_1'), '/v1/calls/call_1/recording')
  t.is(linkHandle('token'), 'PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A')
  const id = `file_${'0'.repeat(26)}` as const
  t.is(fileIdIn(`https://a.io/v1/media/${id}?x`), id)
  for (const odd of [`x${id}`, `${id}0`, 'file_0', '']) t.is(fileIdIn(odd), null)
  t.is(makeVerifyToken().length, 32)
  t.is(canonicalAddress('HTTPS://A.io:443/a b'), 'https://a.io/a%20b')
  for (const odd of ['ftp://A.io', 'https://', 'x']) t.is(canonicalAddress(odd), odd)
  t.deepEqual(
    ['https://me@a.io', 'https://:x@a.io', 'https://a.io/me@', 'ftp://me@a.io', 'https://'].map(hasCredentials),
    [true, true, false, false, false],
  )
})

test('what was thrown is told by its class, whatever it is', (t) => {
  const error = new TypeError('secret')
  t.deepEqual(thrownFields(error), { name: 'TypeError', stack: error.stack })
  t.deepEqual(thrownFields('secret'), { name: 'unknown', stack: undefined })
  t.is(thrownName(null), 'unknown')
})

test('headers of a collector are read as OpenTelemetry writes them', (t) => {
  t.deepEqual(readOtlpHeaders(' a = b%20c , x-key=1=2,, '), { a: 'b c', 'x-key': '1=2' })
  t.deepEqual(readOtlpHeaders(''), {})
  t.deepEqual(readOtlpHeaders('a='), { a: '' })
  for (const odd of ['a', '=b', 'a b=c', 'a=%', 'a=%00', 'a=%C3%A9', 'ä=b', 'a=b,c'])
    t.is(readOtlpHeaders(odd), null, odd)
})

// [usage.objects.1]
test('tallies add up by what they count, by day and by number', (t) => {
  const tally = (day: string, numberId: string, metric: string, amount: number) =>
    ({ day, numberId, metric, amount }) as never
  const tallies = [
    tally('2026-01-02', 'num_b', 'messages.inbound.text', 2),
    tally('2026-01-01', 'num_a', 'messages.outbound.text', 3),
    tally('2026-01-02', 'num_a', 'messages.outbound.image', 4),
    tally('2026-01-02', 'num_a', 'calls.inbound', 1),
    tally('2026-01-02', 'num_a', 'calls.outbound', 2),
    tally('2026-01-02', 'num_a', 'calls.seconds', 61),
    tally('2026-01-02', 'num_a', 'recordings.count', 1),
    tally('2026-01-02', 'num_a', 'recordings.bytes', 100),
    tally('2026-01-02', 'num_a', 'deliveries.succeeded', 5),
    tally('2026-01-02', 'num_a', 'deliveries.failed', 6),
    tally('2026-01-02', 'num_a', 'deliveries.attempts', 12),
    tally('2026-01-02', 'num_a', 'conversations.MARKETING', 1),
    tally('2026-01-02', 'num_a', 'conversations.UTILITY', 2),
    tally('2026-01-02', 'num_a', 'conversations.AUTHENTICATION', 3),
    tally('2026-01-02', 'num_a', 'conversations.SERVICE', 4),
    tally('2026-01-02', 'num_a', 'odd.metric', 9),
  ]
  const total = {
    messages: { inbound: 2, outbound: 7, byType: { image: 4, text: 5 } },
    calls: { inbound: 1, outbound: 2, seconds: 61 },
    recordings: { count: 1, bytes: 100 },
    deliveries: { succeeded: 5, failed: 6, attempts: 12 },
    conversations: { MARKETING: 1, UTILITY: 2, AUTHENTICATION: 3, SERVICE: 4 },
  }
  t.deepEqual(usageOf(tallies), total)
  t.deepEqual(Object.keys(usageOf(tallies).messages.byType), ['image', 'text'])
  const byDay = reportOf(tallies, 'day')
  t.deepEqual(byDay.total, total)
  t.deepEqual(
    byDay.items.map(({ of }) => of),
    ['2026-01-01', '2026-01-02'],
  )
  t.is(byDay.items[0]?.usage.messages.outbound, 3)
  t.deepEqual(
    reportOf(tallies, 'numberId').items.map(({ of }) => of),
    ['num_a', 'num_b'],
  )
})

// [rest.bounds.3]
test('a store that is away says why and when to try again, and only other faults are told of', (t) => {
  const kinds: readonly AwayKind[] = ['gone', 'late', 'slow', 'crowded', 'full', 'files']
  const refusals = kinds.map((kind) => new StoreAway(kind))
  t.deepEqual(
    refusals.map(({ message }) => message),
    [
      'The database cannot be reached now. Try again.',
      'The database does not answer now. Try again.',
      'The database took too long. Try again.',
      'The database has no connection free. Try again.',
      'The disk is full. Try again later.',
      'The file cannot be read from its storage now. Try again.',
    ],
  )
  for (const away of refusals) {
    t.is(away.name, 'StoreAway')
    t.like(away.refusal, { code: 'UNAVAILABLE', retryAfterSeconds: 5 })
    unlessAway(away, () => t.fail())
  }
  let told = 0
  for (const fault of [new Error('x'), 'x', null]) unlessAway(fault, () => told++)
  t.is(told, 3)
})

test('a disk has no room when the system says so', (t) => {
  const failed = (code: unknown) => Object.assign(new Error('x'), { code })
  t.deepEqual(['ENOSPC', 'EDQUOT', 'EACCES', undefined].map(failed).map(isDiskFull), [true, true, false, false])
  t.deepEqual([new Error('ENOSPC'), { code: 'ENOSPC' }, 'ENOSPC', null].map(isDiskFull), [false, false, false, false])
})
