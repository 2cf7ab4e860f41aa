import test from 'ava'
import { newId } from '../../../../src/domain/ids.ts'
import { createUpstreamFetch } from '../../../../src/net/upstream-fetch.ts'
import { lateClock } from '../../../helpers/late-clock.ts'
import { createGraph } from '../../../../src/providers/official/client/graph.ts'
import { MediaUploads } from '../../../../src/providers/official/message/uploads.ts'
import { marketingOps } from '../../../../src/providers/official/ops/marketing.ts'
import { messageOps } from '../../../../src/providers/official/ops/messages.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../../../helpers/silent.ts'
import { until } from '../../../helpers/until.ts'
import { message, text } from '../../../helpers/sendables.ts'
import { CREDENTIALS, graphError } from '../scripted-graph.ts'
import { AT, opened, SENT } from './message-rig.ts'

const THROTTLED: readonly (readonly [code: number, status: number, scope: string])[] = [
  [4, 400, 'number'],
  [80007, 400, 'number'],
  [130429, 400, 'number'],
  [130429, 429, 'number'],
  [613, 429, 'number'],
  [131056, 400, 'pair'],
  [999_999, 429, 'number'],
]

for (const [code, status, scope] of THROTTLED) {
  test(`upstream ${code} with HTTP ${status} throttles the ${scope}`, async (t) => {
    const { server, session } = await opened(t)
    server.on(AT, graphError(code, status))
    t.deepEqual(await session.sendMessage(message(text('x'))), {
      kind: 'throttled',
      scope,
      afterMs: null,
      failure: { code: 'OFFICIAL_RATE_LIMITED', message: `(#${code}) Title`, details: null, upstreamCode: code },
    })
    t.is(server.asked.length, 1)
  })
}

test('throttling that upstream gives a time for is waited out that long', async (t) => {
  const { server, session } = await opened(t)
  const usage = { 2002: [{ type: 'messaging', call_count: 100, estimated_time_to_regain_access: 7 }] }
  server.on(AT, { ...(graphError(80007) as object), headers: { 'x-business-use-case-usage': JSON.stringify(usage) } })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'throttled', afterMs: 420_000 })
})

test('retry-after is how long a message waits, whatever held it up, and a spam limit holds for an hour at least', async (t) => {
  const { server, session } = await opened(t)
  const after = async (answer: object, seconds: string | null) => {
    server.on(AT, { ...answer, ...(seconds === null ? {} : { headers: { 'retry-after': seconds } }) })
    return session.sendMessage(message(text('x')))
  }
  t.like(await after(graphError(130429) as object, '20'), { kind: 'throttled', afterMs: 20_000, scope: 'number' })
  t.like(await after(graphError(131056) as object, '20'), { kind: 'throttled', afterMs: 20_000, scope: 'pair' })
  t.like(await after(graphError(131016, 503) as object, '20'), { kind: 'unsent', afterMs: 20_000 })
  t.like(await after({ status: 429, text: '' }, '20'), { kind: 'throttled', afterMs: 20_000 })
  t.like(await after({ status: 503, text: '' }, '20'), { kind: 'unknown', afterMs: 20_000 })
  t.like(await after(graphError(131048) as object, null), { kind: 'throttled', afterMs: 3_600_000, scope: 'number' })
  t.like(await after(graphError(131048) as object, '20'), { kind: 'throttled', afterMs: 3_600_000, scope: 'number' })
})

for (const [code, status] of [
  [1, 400],
  [2, 503],
  [131000, 500],
  [131016, 500],
  [131057, 500],
  [133004, 503],
  [424_242, 500],
] as const) {
  test(`upstream ${code} with HTTP ${status} is a fault: nothing was sent`, async (t) => {
    const { server, session } = await opened(t)
    server.on(AT, graphError(code, status))
    t.like(await session.sendMessage(message(text('x'))), {
      kind: 'unsent',
      failure: { code: 'OFFICIAL_ERROR', upstreamCode: code },
    })
    t.is(server.asked.length, 1, 'the queue tries again, the driver does not')
  })
}

test('a transient error is a fault whatever its code', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(131009, 400, { is_transient: true }))
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent' })
})

test('a refusal because of a template or a Flow is final, although the upstream calls it transient', async (t) => {
  const { server, session } = await opened(t)
  for (const code of [132015, 132069]) {
    server.on(AT, graphError(code, 503, { is_transient: true }))
    t.like(await session.sendMessage(message(text('x'))), { kind: 'refused', failure: { upstreamCode: code } })
  }
})

test('a message is not at fault for a token that ran out', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(190, 401))
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent', failure: { upstreamCode: 190 } })
})

const REFUSED: readonly (readonly [code: number, status: number, ours: string])[] = [
  [131026, 400, 'CHANNEL_NOT_EXIST'],
  [131047, 400, 'OFFICIAL_OUTSIDE_24H_WINDOW'],
  [131052, 400, 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
  [131053, 400, 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
  [132001, 404, 'OFFICIAL_TEMPLATE_NOT_APPROVED'],
  [132015, 400, 'OFFICIAL_TEMPLATE_PAUSED'],
  [132016, 400, 'OFFICIAL_TEMPLATE_DISABLED'],
  [131021, 400, 'INVALID_DESTINATION'],
  [131030, 400, 'INVALID_DESTINATION'],
  [132000, 400, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'],
  [132012, 400, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'],
  [132018, 500, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'],
  [132005, 400, 'OFFICIAL_TEMPLATE_TEXT_TOO_LONG'],
  [132007, 400, 'OFFICIAL_TEMPLATE_POLICY'],
  [141010, 400, 'OFFICIAL_BUSINESS_NOT_VERIFIED'],
  [131042, 400, 'OFFICIAL_PAYMENT_REQUIRED'],
  [141006, 400, 'OFFICIAL_PAYMENT_REQUIRED'],
  [131037, 400, 'OFFICIAL_DISPLAY_NAME_NOT_APPROVED'],
  [131049, 429, 'OFFICIAL_MARKETING_LIMITED'],
  [131050, 400, 'OFFICIAL_MARKETING_LIMITED'],
  [132068, 400, 'OFFICIAL_FLOW_BLOCKED'],
  [132069, 429, 'OFFICIAL_FLOW_THROTTLED'],
  [100, 400, 'OFFICIAL_ERROR'],
  [131009, 400, 'OFFICIAL_ERROR'],
  [368, 403, 'OFFICIAL_ERROR'],
  [7_654_321, 400, 'OFFICIAL_ERROR'],
]

for (const [code, status, ours] of REFUSED) {
  // [templates.send-failures.1] [templates.send-failures.2] [templates.send-failures.3] [templates.send-failures.4]
  // [templates.send-failures.5] [templates.send-failures.6] [templates.send-failures.7] [templates.send-failures.8]
  // [templates.send-failures.9] [templates.send-failures.10] [templates.send-failures.11] [templates.send-failures.12]
  test(`upstream ${code} refuses a message as ${ours}, with its code and details`, async (t) => {
    const { server, session } = await opened(t)
    server.on(AT, graphError(code, status, { error_data: { messaging_product: 'whatsapp', details: 'Why it was' } }))
    t.deepEqual(await session.sendMessage(message(text('x'))), {
      kind: 'refused',
      failure: { code: ours, message: `(#${code}) Title: Why it was`, details: 'Why it was', upstreamCode: code },
    })
  })
}

test('a message that may have been taken is in doubt', async (t) => {
  const { server, session } = await opened(t)
  for (const answer of [
    'drop',
    { text: '<html>' },
    { status: 502, text: '<html>' },
    { json: { messages: [] } },
    { json: {} },
    { status: 302, text: '' },
  ] as const) {
    server.on(AT, answer)
    t.like(await session.sendMessage(message(text('x'))), { kind: 'unknown', failure: { code: 'OFFICIAL_ERROR' } })
  }
})

test('a message without an answer for 10 s is in doubt', async (t) => {
  const clock = new FakeClock()
  const { server, session } = await opened(t, { clock })
  server.on(AT, 'silence')
  const sending = session.sendMessage(message(text('x')))
  await until('the message arrives', () => server.asked.length === 1)
  clock.advance(10_000)
  t.like(await sending, { kind: 'unknown' })
})

test('a message that some proxy refuses did not reach upstream', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, { status: 403, text: '<html>proxy' })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent' })
  server.on(AT, { status: 429, text: '<html>proxy' })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'throttled', scope: 'number' })
})

test('a message is not sent when no connection can be opened', async (t) => {
  const fetch = createUpstreamFetch({ clock: lateClock })
  t.teardown(() => fetch.close())
  // Nobody listens on port 1.
  const graph = createGraph({
    apiUrl: 'http://127.0.0.1:1/v24.0',
    fetch,
    clock: lateClock,
    log: silentLog,
    metrics: noMetrics,
  })
  const ordinary = marketingOps(graph, CREDENTIALS, { numberId: newId('num'), door: null })
  const { sendMessage } = messageOps(graph, CREDENTIALS, new MediaUploads(graph, lateClock), ordinary)
  t.like(await sendMessage(message(text('x'))), { kind: 'unsent', failure: { code: 'OFFICIAL_ERROR' } })
})

test('messages beyond the queue of a number are not sent', async (t) => {
  const { server, session } = await opened(t, { tuning: { messagesInFlight: 1, waiting: 1 } })
  server.hold()
  const first = session.sendMessage(message(text('1')))
  const second = session.sendMessage(message(text('2')))
  t.like(await session.sendMessage(message(text('3'))), { kind: 'unsent', failure: { code: 'OFFICIAL_RATE_LIMITED' } })
  server.release()
  t.deepEqual(await Promise.all([first, second]), [SENT, SENT])
})

test('a full queue of messages does not keep a call waiting', async (t) => {
  const { server, session } = await opened(t, { tuning: { inFlight: 1, messagesInFlight: 1 } })
  server.on(AT, 'silence').on('POST /1001/calls', { json: { success: true } })
  void session.sendMessage(message(text('1')))
  t.true((await session.terminateCall('wacid.A')).ok)
})

test('no failure shows the access token', async (t) => {
  const { server, session } = await opened(t)
  server.on(
    AT,
    graphError(100, 400, {
      message: `Bad ${CREDENTIALS.accessToken}`,
      error_data: { details: `In ${CREDENTIALS.accessToken}` },
    }),
  )
  t.notRegex(JSON.stringify(await session.sendMessage(message(text('x')))), /EAAGsecret/)
})
