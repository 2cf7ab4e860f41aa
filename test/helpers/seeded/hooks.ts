import { attempt, logOf, WEBHOOK } from '../hook-scenes.ts'
import type { Script } from '../people-scenes.ts'

const ORDERS = { ...WEBHOOK, lastTriggered: '2026-11-23T09:28:41.000Z' }
const SLOW = {
  ...WEBHOOK,
  id: 'wh_2',
  name: null,
  url: 'https://integrations.northwind-logistics.example/tenants/8f41c2/channels/incoming?source=messages',
  events: ['*'],
  channelNumberIds: ['num_2'],
  lastTriggered: '2026-11-23T09:29:55.000Z',
}
const GONE = { ...WEBHOOK, id: 'wh_3', name: 'Faturamento', active: false, disabledReason: 'GONE', lastTriggered: null }

const PAYLOAD = {
  id: 'evt_00000000000000000000000007',
  event: 'message.received',
  channelNumberId: 'num_1',
  data: { from: '5511990000001', text: 'שלום, is my order ready?' },
}
const AT = (minute: number) => ({ createdAt: `2026-11-23T09:${minute}:00.000Z`, payload: JSON.stringify(PAYLOAD) })
const WELL = { status: 'SUCCESS', statusCode: 204, response: '', attempt: 1 }

export const HOOKS_SCRIPT: Script = {
  'GET /api/v1/webhooks': { body: [ORDERS, SLOW, GONE] },
  'GET /api/v1/webhooks/wh_1': { body: ORDERS },
  'GET /api/v1/webhooks/wh_1/logs': logOf(
    attempt(6, { ...WELL, ...AT(28) }),
    attempt(5, { ...WELL, ...AT(27), event: 'call.ended' }),
    attempt(4, { ...AT(25), attempt: 3, statusCode: 503, durationMs: 1_204 }),
    attempt(3, { ...AT(21), attempt: 2, statusCode: 0, response: '', durationMs: 10_000 }),
    attempt(2, { ...AT(20), attempt: 1, statusCode: 500 }),
    attempt(1, { ...WELL, ...AT(12) }),
  ),
}
