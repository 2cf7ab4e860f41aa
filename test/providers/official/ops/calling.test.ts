import test from 'ava'
import type { Outcome } from '../../../../src/domain/errors.ts'
import { callingOps } from '../../../../src/providers/official/ops/calling.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'

function refusal(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

// [official.calling.1] [official.calling.2] [official.calling.3]
test('calling is enabled, or waits for the tier or the webhook field', async (t) => {
  const { server, graph } = await rig(t)
  const calling = callingOps(graph, CREDENTIALS)
  for (const [answer, expected] of [
    [{ json: { success: true } }, 'ENABLED'],
    [graphError(138015), 'PENDING_TIER'],
    [graphError(138018), 'PENDING_WEBHOOK'],
  ] as const) {
    server.on('POST /1001/settings', answer)
    t.deepEqual(await calling.enable(), { ok: true, value: expected })
  }
  t.deepEqual(server.asked[0]?.body, { calling: { status: 'ENABLED' } })
  server.on('POST /1001/settings', graphError(138014))
  t.like(refusal(await calling.enable()), { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 138014 } })
})

// [calls.settings.3]
test('settings are read without SIP, and its credentials are never asked for', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/settings', {
    json: {
      calling: { status: 'ENABLED', sip: { status: 'ENABLED', servers: [{ sip_user_password: 'x' }] } },
      other: 1,
    },
  })
  t.deepEqual(await callingOps(graph, CREDENTIALS).readSettings(), { ok: true, value: { status: 'ENABLED' } })
  t.deepEqual(server.asked[0]?.query, {})
})

test('written settings are answered as read back', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/settings', graphError(2, 500), { json: { success: true } })
  server.on('GET /1001/settings', { json: { calling: { status: 'ENABLED', call_icon_visibility: 'DEFAULT' } } })
  t.deepEqual(await callingOps(graph, CREDENTIALS).writeSettings({ call_icon_visibility: 'DEFAULT' }), {
    ok: true,
    value: { status: 'ENABLED', call_icon_visibility: 'DEFAULT' },
  })
  t.deepEqual(
    server.asked.map(({ method }) => method),
    ['POST', 'POST', 'GET'],
  )
  t.deepEqual(server.asked[0]?.body, { calling: { call_icon_visibility: 'DEFAULT' } })
})

test('refused settings are not read back', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/settings', graphError(100))
  t.like(refusal(await callingOps(graph, CREDENTIALS).writeSettings({ call_hours: {} })), {
    code: 'OFFICIAL_REQUEST_REFUSED',
  })
  t.is(server.asked.length, 1)
})
