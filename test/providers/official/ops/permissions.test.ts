import test from 'ava'
import type { Outcome } from '../../../../src/domain/errors.ts'
import { permissionsOps } from '../../../../src/providers/official/ops/permissions.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'

function refusal(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

// [calls.routes.19]
test('a permission is read with its actions and limits, without what is not shown', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/call_permissions', {
    json: {
      messaging_product: 'whatsapp',
      permission: { status: 'temporary', expiration_time: 1_753_186_982 },
      actions: [
        {
          action_name: 'start_call',
          can_perform_action: true,
          limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 1, limit_expiration_time: 9 }, {}],
        },
        { action_name: 'send_call_permission_request', can_perform_action: false },
        null,
      ],
    },
  })
  t.deepEqual(await permissionsOps(graph, CREDENTIALS).read('5511988887777'), {
    ok: true,
    value: {
      permission: { status: 'temporary', expiration_time: 1_753_186_982 },
      actions: [
        {
          action_name: 'start_call',
          can_perform_action: true,
          limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 1 }],
        },
        { action_name: 'send_call_permission_request', can_perform_action: false, limits: [] },
      ],
    },
  })
  t.deepEqual(server.asked[0]?.query, { user_wa_id: '5511988887777' })
})

test('a user who hides the number is asked about and asked by id', async (t) => {
  const { server, graph } = await rig(t)
  const permissions = permissionsOps(graph, CREDENTIALS)
  server.on('GET /1001/call_permissions', { json: { permission: { status: 'permanent' } } })
  server.on('POST /1001/messages', { json: { messages: [{ id: 'wamid.A' }] } })
  await permissions.read('US.13491')
  await permissions.request('US.13491', 'May we call?')
  t.deepEqual(server.asked[0]?.query, { recipient: 'US.13491' })
  t.like(server.asked[1]?.body, { recipient: 'US.13491' })
  t.false('to' in (server.asked[1]?.body ?? {}))
})

test('a permission that does not expire says so', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/call_permissions', { json: { permission: { status: 'no_permission' } } })
  t.deepEqual(await permissionsOps(graph, CREDENTIALS).read('5511988887777'), {
    ok: true,
    value: { permission: { status: 'no_permission', expiration_time: null }, actions: [] },
  })
})

test('an answer without a permission is upstream’s fault', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/call_permissions', { json: {} })
  t.like(refusal(await permissionsOps(graph, CREDENTIALS).read('5511988887777')), { code: 'OFFICIAL_ERROR' })
})

test('a permission is asked for once, as an interactive message', async (t) => {
  const { server, graph } = await rig(t)
  const permissions = permissionsOps(graph, CREDENTIALS)
  server.on('POST /1001/messages', { json: { messages: [{ id: 'wamid.A' }] } })
  t.deepEqual(await permissions.request('5511988887777', 'May we call?'), { ok: true, value: { messageId: 'wamid.A' } })
  t.deepEqual(server.asked[0]?.body, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '5511988887777',
    type: 'interactive',
    interactive: {
      type: 'call_permission_request',
      action: { name: 'call_permission_request' },
      body: { text: 'May we call?' },
    },
  })
  server.asked.length = 0
  server.on('POST /1001/messages', graphError(2, 503))
  t.like(refusal(await permissions.request('5511988887777', 'May we call?')), { code: 'OFFICIAL_ERROR' })
  t.is(server.asked.length, 1)
  server.on('POST /1001/messages', graphError(138009))
  t.like(refusal(await permissions.request('5511988887777', 'x')), { code: 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT' })
})
