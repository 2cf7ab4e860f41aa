import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import type { ProviderEvent, SessionSpec } from '../../../src/ports/provider.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { createOfficialDriver, readCredentials } from '../../../src/providers/official/driver.ts'
import { createRegistry } from '../../../src/providers/registry.ts'
import { until } from '../../helpers/until.ts'
import { CREDENTIALS, graphError, rig } from './scripted-graph.ts'

function opening(credentials: string | null = JSON.stringify(CREDENTIALS)): SessionSpec {
  return {
    numberId: newId('num'),
    number: '15550123456',
    credentials,
    settings: DEFAULT_SETTINGS,
    historyImport: false,
    wantsStories: false,
    ackedSeq: 7,
  }
}

async function opened(t: ExecutionContext, of: SessionSpec = opening()) {
  const parts = await rig(t)
  const told: ProviderEvent[] = []
  const settled: unknown[] = []
  const driver = createOfficialDriver({
    graph: parts.graph,
    clock: lateClock,
    onSettled: (...args) => void settled.push(args),
  })
  const session = driver.openSession(of, (event) => void told.push(event))
  t.teardown(() => session.close())
  await until('a state is told', () => told.length > 0)
  return { ...parts, driver, session, told, settled }
}

test('a session is open at once, without asking upstream', async (t) => {
  const { told, server } = await opened(t)
  t.deepEqual(told, [{ type: 'state', seq: 7, state: 'OPEN', reason: null }])
  t.is(server.asked.length, 0)
})

test('the driver is that of OFFICIAL numbers', async (t) => {
  const { driver } = await opened(t)
  t.is(createRegistry([driver]).driver('OFFICIAL'), driver)
})

test('a text is sent once and named by our message id', async (t) => {
  const { server, session } = await opened(t)
  server.on('POST /1001/messages', { json: { messages: [{ id: 'wamid.A' }] } })
  t.deepEqual(await session.sendText('5511988887777', 'Hello', 'msg_1'), {
    ok: true,
    value: { externalMessageId: 'wamid.A' },
  })
  t.like(server.asked[0]?.body, { type: 'text', text: { body: 'Hello' }, biz_opaque_callback_data: 'msg_1' })
  server.on('POST /1001/messages', graphError(131047))
  t.like(await session.sendText('5511988887777', 'Hello', 'msg_2'), {
    ok: false,
    error: { code: 'OFFICIAL_OUTSIDE_24H_WINDOW' },
  })
})

test('an expired token closes the sessions that use it, once, and opens none', async (t) => {
  const { server, session, told, driver } = await opened(t)
  server.on('POST /1001/calls', graphError(190, 401))
  t.like(await session.offerCall('5511988887777', 'v=0\r\n'), { ok: false, error: { details: { upstreamCode: 190 } } })
  await session.offerCall('5511988887777', 'v=0\r\n')
  const closing = { type: 'state', seq: 7, state: 'CLOSE', reason: 'banned' } as const
  t.deepEqual(told.slice(1), [closing])
  const later: ProviderEvent[] = []
  const next = driver.openSession(opening(), (event) => void later.push(event))
  await until('the next session tells', () => later.length > 0)
  t.deepEqual(later, [closing])
  next.close()
  // Each offer is one request; nothing else asks by itself.
  t.is(server.asked.length, 2)
})

test('a closed session tells nothing more', async (t) => {
  const { graph, session, told } = await opened(t)
  session.close()
  session.close()
  graph.tokens.note(CREDENTIALS.accessToken, false)
  t.is(told.length, 1)
})

test('events of webhooks are settled with whoever raised them, the session’s own are not', async (t) => {
  const of = opening()
  const { session, settled } = await opened(t, of)
  session.settle(7)
  session.settle(12)
  t.deepEqual(settled, [[of.numberId, 12]])
})

for (const stored of [null, 'no json', '{"phoneId":"1"}', '[]'] as const) {
  test(`a number whose credentials are ${String(stored)} is closed, refuses calls and lets messages wait`, async (t) => {
    const { session, told, server } = await opened(t, opening(stored))
    t.like(told[0], { state: 'CLOSE', reason: 'logged_out' })
    t.like(await session.offerCall('5511988887777', 'v=0\r\n'), {
      ok: false,
      error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' },
    })
    t.like(await session.markRead(['wamid.A']), { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } })
    const message = {
      messageId: newId('msg'),
      to: { type: 'DIRECT', address: '5511988887777' },
      content: { mode: 'text', text: 'x', buttons: [], header: null, footer: null },
      quotedMessageId: null,
    } as const
    t.like(await session.sendMessage(message), { kind: 'unsent' })
    t.true((await session.logout()).ok)
    t.is(server.asked.length, 0)
  })
}

test('credentials are read as they were stored', (t) => {
  t.deepEqual(readCredentials(JSON.stringify(CREDENTIALS)), CREDENTIALS)
  t.deepEqual(readCredentials('{"phoneId":"1","accountId":"2","accessToken":"3"}'), {
    phoneId: '1',
    accountId: '2',
    accessToken: '3',
    appId: null,
    appSecret: null,
  })
})
