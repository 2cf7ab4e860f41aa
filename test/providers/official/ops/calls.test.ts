import test from 'ava'
import { callOps } from '../../../../src/providers/official/ops/calls.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'

test('a call is offered with its SDP and callback data', async (t) => {
  const { server, graph } = await rig(t)
  const calls = callOps(graph, CREDENTIALS)
  server.on('POST /1001/calls', { json: { messaging_product: 'whatsapp', calls: [{ id: 'wacid.A' }] } })
  t.deepEqual(await calls.offerCall('5511988887777', 'v=0\r\n', 'order-1'), {
    ok: true,
    value: { externalCallId: 'wacid.A' },
  })
  t.deepEqual(server.asked[0]?.body, {
    messaging_product: 'whatsapp',
    to: '5511988887777',
    session: { sdp_type: 'offer', sdp: 'v=0\r\n' },
    biz_opaque_callback_data: 'order-1',
    action: 'connect',
  })
  await calls.offerCall('5511988887777', 'v=0\r\n')
  t.false('biz_opaque_callback_data' in (server.asked[1]?.body ?? {}))
})

test('a user who hides the number is called by id', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/calls', { json: { calls: [{ id: 'wacid.A' }] } })
  await callOps(graph, CREDENTIALS).offerCall('US.13491', 'v=0\r\n')
  t.like(server.asked[0]?.body, { recipient: 'US.13491' })
  t.false('to' in (server.asked[0]?.body ?? {}))
})

test('a call upstream gives no id for has not been placed', async (t) => {
  const { server, graph } = await rig(t)
  const calls = callOps(graph, CREDENTIALS)
  server.on('POST /1001/calls', { json: { calls: [] } })
  t.like(await calls.offerCall('5511988887777', 'v=0\r\n'), { ok: false, error: { code: 'OFFICIAL_ERROR' } })
})

test('an inbound call is pre-accepted, accepted, rejected and terminated', async (t) => {
  const { server, graph } = await rig(t)
  const calls = callOps(graph, CREDENTIALS)
  server.on('POST /1001/calls', { json: { success: true } })
  const answer = { sdp_type: 'answer', sdp: 'v=0\r\n' }
  t.deepEqual(await calls.preAcceptCall('wacid.A', 'v=0\r\n'), { ok: true, value: null })
  t.deepEqual(await calls.acceptCall('wacid.A', 'v=0\r\n'), { ok: true, value: null })
  t.deepEqual(await calls.rejectCall('wacid.A'), { ok: true, value: null })
  t.deepEqual(await calls.terminateCall('wacid.A'), { ok: true, value: null })
  const head = { messaging_product: 'whatsapp', call_id: 'wacid.A' }
  t.deepEqual(
    server.asked.map(({ body }) => body),
    [
      { ...head, session: answer, action: 'pre_accept' },
      { ...head, session: answer, action: 'accept' },
      { ...head, action: 'reject' },
      { ...head, action: 'terminate' },
    ],
  )
})

test('a call upstream does not know has ended, a phone it does not know has not', async (t) => {
  const { server, graph } = await rig(t)
  const calls = callOps(graph, CREDENTIALS)
  server.on('POST /1001/calls', graphError(100))
  t.deepEqual(await calls.terminateCall('wacid.A'), { ok: true, value: null })
  t.deepEqual(await calls.rejectCall('wacid.A'), { ok: true, value: null })
  t.like(await calls.acceptCall('wacid.A', 'v=0\r\n'), { ok: false, error: { code: 'OFFICIAL_REQUEST_REFUSED' } })
  server.on('POST /1001/calls', graphError(100, 400, { error_subcode: 33 }))
  t.like(await calls.terminateCall('wacid.A'), { ok: false })
  server.on('POST /1001/calls', graphError(2, 500))
  t.like(await calls.terminateCall('wacid.A'), { ok: false })
})
