import test from 'ava'
import type { Log } from '../../../../src/ports/log.ts'
import type { Metrics } from '../../../../src/ports/metrics.ts'
import type { GraphRequest } from '../../../../src/providers/official/client/graph.ts'
import { refusalOf } from '../../../../src/providers/official/errors/error-map.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { noMetrics } from '../../../helpers/silent.ts'
import { until } from '../../../helpers/until.ts'
import { CREDENTIALS, graphError, PATIENT, rig } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'

const READ: GraphRequest = { op: 'read', method: 'GET', path: ['1001', 'settings'], isRepeatable: true }
const CALL: GraphRequest = {
  op: 'call',
  method: 'POST',
  path: ['1001', 'calls'],
  body: { action: 'connect' },
  isRepeatable: false,
}

test('a request carries the bearer token and its body as JSON', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/calls', { json: { success: true } })
  t.deepEqual(await graph.ask(CREDENTIALS, CALL), { ok: true, body: { success: true } })
  const [asked] = server.asked
  t.is(asked?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
  t.is(asked?.headers['content-type'], 'application/json')
  t.deepEqual(asked?.body, { action: 'connect' })
})

test('ids cannot leave the version segment or add a query', async (t) => {
  const { server, graph } = await rig(t)
  await graph.ask(CREDENTIALS, { ...CALL, path: ['..', 'x/../y?a=1', '.'] })
  t.is(server.asked[0]?.path, '/%20/x%2F..%2Fy%3Fa%3D1/%20')
  t.deepEqual(server.asked[0]?.query, {})
})

for (const [code, status] of [
  [4, 400],
  [80007, 400],
  [130429, 429],
  [131056, 400],
  [613, 429],
  [2, 503],
  [131000, 500],
] as const) {
  // [official.failure-codes.1]
  test(`code ${code} is waited out by a read`, async (t) => {
    const { server, graph } = await rig(t, PATIENT)
    server.on('GET /1001/settings', graphError(code, status), graphError(code, status), { json: { done: true } })
    t.deepEqual(await graph.ask(CREDENTIALS, READ), { ok: true, body: { done: true } })
    t.is(server.asked.length, 3)
  })
}

test('is_transient, a 5xx without an envelope and a broken connection are waited out too', async (t) => {
  const { server, graph } = await rig(t, PATIENT)
  server.on(
    'GET /1001/settings',
    graphError(99, 400, { is_transient: true }),
    { status: 502, text: '<html>' },
    'drop',
    { json: { done: true } },
  )
  t.like(await graph.ask(CREDENTIALS, READ), { ok: true })
  t.is(server.asked.length, 4)
})

test('a call is sent once, whatever happens to it', async (t) => {
  const { server, graph } = await rig(t)
  for (const answer of [graphError(130429), graphError(2, 500), { status: 500, text: '' }, 'drop'] as const) {
    server.asked.length = 0
    server.on('POST /1001/calls', answer, { json: { calls: [{ id: 'wacid.A' }] } })
    t.false((await graph.ask(CREDENTIALS, CALL)).ok)
    t.is(server.asked.length, 1)
  }
})

test('a refused request is not repeated', async (t) => {
  const { server, graph } = await rig(t)
  for (const code of [100, 190, 138006, 131047, 131048, 7654321]) {
    server.asked.length = 0
    server.on('GET /1001/settings', graphError(code))
    t.false((await graph.ask(CREDENTIALS, READ)).ok)
    t.is(server.asked.length, 1, String(code))
  }
})

test('a request to an account that is throttled for minutes is not repeated, and the caller is told how long', async (t) => {
  const { server, graph } = await rig(t, { tuning: { retryUntilMs: 8_000 } })
  const usage = {
    2002: [{ type: 'messaging', call_count: 100, total_cputime: 3, total_time: 5, estimated_time_to_regain_access: 7 }],
  }
  server.on('GET /1001/settings', {
    ...(graphError(80007) as object),
    headers: { 'x-business-use-case-usage': JSON.stringify(usage) },
  })
  const answer = await graph.ask(CREDENTIALS, READ)
  t.is(server.asked.length, 1)
  t.like(!answer.ok && refusalOf(answer.failure), {
    code: 'OFFICIAL_THROTTLED',
    retryAfterSeconds: 420,
    details: { upstreamCode: 80007 },
  })
})

/** A clock that records how long it was asked to wait. */
class Waits extends FakeClock {
  readonly delays: number[] = []

  override after(delayMs: number, fire: () => void) {
    this.delays.push(delayMs)
    return super.after(delayMs, fire)
  }
}

test('retry-after is waited out if the caller has the time, and otherwise told to the caller', async (t) => {
  const clock = new Waits()
  const { server, graph } = await rig(t, { clock })
  const asked = (seconds: string): Scripted => ({ status: 503, text: '<html>', headers: { 'retry-after': seconds } })
  server.on('GET /1001/settings', asked('3'), asked(new Date(clock.now() + 7_000).toUTCString()), {
    json: { done: true },
  })
  const asking = graph.ask(CREDENTIALS, READ)
  await until('the first answer is there', () => clock.delays.includes(3_000))
  clock.advance(2_999)
  t.is(server.asked.length, 1)
  clock.advance(1)
  await until('the second answer is there', () => clock.delays.includes(4_000))
  clock.advance(4_000)
  t.deepEqual(await asking, { ok: true, body: { done: true } })
  t.is(server.asked.length, 3)

  for (const [retryAfter, expected] of [
    ['30', 30],
    ['86400', 3_600],
    ['9'.repeat(400), 3_600],
  ] as const) {
    server.asked.length = 0
    server.on('GET /1001/settings', { ...(graphError(4) as object), headers: { 'retry-after': retryAfter } })
    const answer = await graph.ask(CREDENTIALS, READ)
    t.is(server.asked.length, 1)
    t.like(!answer.ok && refusalOf(answer.failure), { code: 'OFFICIAL_THROTTLED', retryAfterSeconds: expected })
  }
})

test('a request that was refused as spam is not repeated within the hour', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/settings', graphError(131048))
  const answer = await graph.ask(CREDENTIALS, READ)
  t.like(!answer.ok && refusalOf(answer.failure), { code: 'OFFICIAL_THROTTLED', retryAfterSeconds: 3_600 })
})

test('an upstream that hangs is given up after its time and not asked again when that time is long', async (t) => {
  const clock = new FakeClock()
  const { server, graph } = await rig(t, { clock })
  server.on('GET /1001/settings', 'silence')
  const asking = graph.ask(CREDENTIALS, READ)
  await until('the request arrives', () => server.asked.length === 1)
  clock.advance(10_000)
  const answer = await asking
  t.like(!answer.ok && refusalOf(answer.failure), { code: 'OFFICIAL_ERROR', details: { upstreamCode: null } })
  t.is(server.asked.length, 1)
})

/** A clock that counts the waits of one length, so that the test moves time only while the client waits. */
class WaitCounter extends FakeClock {
  waits = 0

  override after(delayMs: number, fire: () => void) {
    if (delayMs === 3_000) this.waits += 1
    return super.after(delayMs, fire)
  }
}

test('retries end before the asker gives up', async (t) => {
  const clock = new WaitCounter()
  const { server, graph } = await rig(t, {
    clock,
    tuning: { backoffMs: [3_000, 3_000, 3_000, 3_000], retryUntilMs: 8_000, random: () => 1 },
  })
  server.on('GET /1001/settings', graphError(4))
  const asking = graph.ask(CREDENTIALS, READ)
  for (const wait of [1, 2]) {
    await until('the client waits', () => clock.waits === wait)
    clock.advance(3_000)
  }
  t.false((await asking).ok)
  // The requests were at 0, 3 and 6 s; a fourth would be after the limit of 8 s.
  t.is(server.asked.length, 3)
})

test('no more than the given number of requests of one number is under way, and another number does not wait', async (t) => {
  const { server, graph } = await rig(t, { tuning: { inFlight: 2, waiting: 2 } })
  server.on('POST /1001/calls', {})
  server.hold()
  const asks = Array.from({ length: 5 }, () => graph.ask(CREDENTIALS, CALL))
  const other = graph.ask({ ...CREDENTIALS, phoneId: '1002' }, CALL)
  t.deepEqual(await asks[4], { ok: false, failure: { kind: 'crowded' } })
  await until('three requests arrive', () => server.asked.length === 3)
  server.release()
  t.deepEqual(
    (await Promise.all(asks.slice(0, 4))).map(({ ok }) => ok),
    [true, true, true, true],
  )
  t.true((await other).ok)
  t.is(server.asked.length, 5)
})

test('a redirect is not followed: the token stays here', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/calls', { status: 307, headers: { location: '/v24.0/elsewhere' }, text: '' })
  t.deepEqual(await graph.ask(CREDENTIALS, CALL), {
    ok: false,
    failure: { kind: 'unreadable', status: 307, waitMs: null },
  })
  t.is(server.asked.length, 1)
})

test('neither token nor upstream text reaches the log, and the token not the caller', async (t) => {
  const lines: string[] = []
  const note = (fields: object, message: string) => void lines.push(JSON.stringify([fields, message]))
  const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }
  const { server, graph } = await rig(t, { log })
  server.on('POST /1001/calls', graphError(190, 401, { message: `Malformed access token ${CREDENTIALS.accessToken}` }))
  const answer = await graph.ask(CREDENTIALS, CALL)
  t.is(lines.length, 1)
  t.false(/Malformed|EAAG/.test(lines.join()))
  t.like(!answer.ok && refusalOf(answer.failure), {
    details: { upstreamCode: 190, upstreamMessage: 'Malformed access token ***' },
  })
})

test('usage headers and outcomes are exported', async (t) => {
  const seen: unknown[] = []
  const metrics: Metrics = {
    ...noMetrics,
    counter: (name) => ({ add: (labels) => void seen.push([name, labels]) }),
    gauge: (name) => ({ set: (value, labels) => void seen.push([name, value, labels]) }),
  }
  const { server, graph } = await rig(t, { metrics })
  server.on('POST /1001/calls', {
    json: {},
    headers: {
      'x-app-usage': '{"call_count":28,"total_time":31,"total_cputime":2}',
      'x-business-use-case-usage': '{"2002":[{"call_count":55}]}',
    },
  })
  await graph.ask(CREDENTIALS, CALL)
  server.on('POST /1001/calls', { ...(graphError(138006) as object), headers: { 'x-app-usage': 'not json' } })
  await graph.ask(CREDENTIALS, CALL)
  t.deepEqual(seen, [
    ['official_usage_ratio', 0.31, { scope: 'app' }],
    ['official_usage_ratio', 0.55, { scope: 'business' }],
    ['official_regain_access_seconds', 0, undefined],
    ['official_requests_total', { op: 'call', outcome: 'ok' }],
    ['official_requests_total', { op: 'call', outcome: 'refused' }],
  ])
})

test('marks of the number in an answer are reported', async (t) => {
  const marks: unknown[] = []
  const { server, graph } = await rig(t, { onMark: (phoneId, mark) => void marks.push([phoneId, mark]) })
  for (const code of [138015, 138018, 138000, 190, 138006]) {
    server.on('POST /1001/calls', graphError(code))
    await graph.ask(CREDENTIALS, CALL)
  }
  t.deepEqual(
    marks.map((mark) => (mark as string[])[1]),
    ['PENDING_TIER', 'PENDING_WEBHOOK', 'CALLING_DISABLED', 'TOKEN_INVALID'],
  )
})

test('a refused token is known as such until upstream takes it again', async (t) => {
  const { server, graph } = await rig(t)
  const heard: boolean[] = []
  const unwatch = graph.tokens.watch(CREDENTIALS.accessToken, (isValid) => void heard.push(isValid))
  server.on('POST /1001/calls', graphError(190, 401), graphError(190, 401), {})
  await graph.ask(CREDENTIALS, CALL)
  await graph.ask(CREDENTIALS, CALL)
  t.true(graph.tokens.isInvalid(CREDENTIALS.accessToken))
  t.false(graph.tokens.isInvalid('another'))
  await graph.ask(CREDENTIALS, CALL)
  t.false(graph.tokens.isInvalid(CREDENTIALS.accessToken))
  unwatch()
  graph.tokens.note(CREDENTIALS.accessToken, false)
  t.deepEqual(heard, [false, true])
})
