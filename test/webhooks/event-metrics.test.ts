import test from 'ava'
import { createMetrics } from '../../src/process/metrics.ts'
import { createEventMetrics, toldBy } from '../../src/webhooks/event-metrics.ts'

const native = (messages: number) => ({
  event: 'messages' as const,
  data: {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          { field: 'messages', value: { messages: Array.from({ length: messages }, () => ({ id: 'wamid.1' })) } },
        ],
      },
    ],
  },
})

test('messages count by direction, status and code, calls by how they ended', async (t) => {
  const metrics = createMetrics()
  const counted = createEventMetrics(metrics)
  counted([
    { event: 'message.received', data: {} },
    { event: 'message.group', data: {} },
    native(2),
    { event: 'message.sent', data: {} },
    { event: 'message.failed', data: { code: 'CHANNEL_NOT_EXIST' } },
    { event: 'call.ended', data: { direction: 'OUTBOUND', status: 'COMPLETED', errorCode: null } },
    { event: 'call.missed', data: { direction: 'INBOUND', status: 'MISSED' } },
    { event: 'call.ringing', data: { direction: 'INBOUND', status: 'RINGING' } },
    { event: 'number.connected', data: {} },
  ])
  const text = await metrics.text()
  for (const line of [
    'messages_total{direction="INBOUND",status="RECEIVED",code=""} 4',
    'messages_total{direction="OUTBOUND",status="SENT",code=""} 1',
    'messages_total{direction="OUTBOUND",status="FAILED",code="CHANNEL_NOT_EXIST"} 1',
    'calls_total{direction="OUTBOUND",outcome="COMPLETED",code=""} 1',
    'calls_total{direction="INBOUND",outcome="MISSED",code=""} 1',
  ])
    t.true(text.includes(`${line}\n`), line)
  t.false(text.includes('RINGING'))
})

test('a native change of statuses alone is no inbound message', (t) => {
  t.is(toldBy(native(0)), null)
  t.is(toldBy({ event: 'messages', data: {} }), null)
})
