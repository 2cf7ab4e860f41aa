import type { Script } from './people-scenes.ts'

/** A text that is dangerous as HTML, turns the direction of what follows, and is one word of 100 KB. */
export const HOSTILE = `<img src=x onerror="refusedByPolicy('ran')"><script>refusedByPolicy('ran')</script>\u202e${'W'.repeat(100_000)}`

export const NUMBERS = [
  { id: 'num_1', name: 'Front desk', number: '5511999990001', provider: 'UNOFFICIAL' },
  { id: 'num_2', name: 'Sales <b>', number: '5511999990002', provider: 'OFFICIAL' },
]

/** A webhook as the service answers it. */
export const WEBHOOK = {
  id: 'wh_1',
  name: 'Orders',
  url: 'https://hooks.example.com/orders',
  active: true,
  events: ['message.received', 'call.ended'],
  channelNumberIds: ['num_1'],
  lastTriggered: '2026-11-20T10:00:00.000Z',
  disabledReason: null as string | null,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}

/** The attempt of a number: the higher, the newer. */
export function attempt(of: number, more: object = {}) {
  return {
    id: `log_${String(of).padStart(26, '0')}`,
    webhookId: 'wh_1',
    event: 'message.received',
    eventId: `evt_${String(of).padStart(26, '0')}`,
    attempt: 2,
    status: 'FAILED',
    statusCode: 500,
    payload: '{"id":"evt_1","data":{"text":"it\'s here","long":12345678901234567890}}',
    response: 'no such table',
    durationMs: 41,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...more,
  }
}

/** The answer to a read of the log. */
export function logOf(...logs: readonly object[]) {
  return { body: { webhookId: 'wh_1', logs } }
}

/** The answers that the pages of webhooks and events begin with. */
export const HOOKS: Script = {
  'GET /api/v1/numbers': { body: NUMBERS },
  'GET /api/v1/webhooks': { body: [WEBHOOK, { ...WEBHOOK, id: 'wh_2', name: null, events: ['*'] }] },
  'GET /api/v1/webhooks/wh_1': { body: WEBHOOK },
  'GET /api/v1/webhooks/wh_1/logs': logOf(attempt(2), attempt(1, { status: 'SUCCESS', statusCode: 204 })),
  'GET /api/overview': { body: { failing: [] } },
}

/** The frame of an event of a number. */
export function frameOf(id: string, channelNumberId = 'num_1', event = 'message.received', data: object = {}) {
  return { id, event, channelNumberId, timestamp: '2026-11-20T10:00:00.000Z', data }
}
