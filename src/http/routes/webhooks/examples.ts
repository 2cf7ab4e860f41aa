import { SAMPLE } from '../samples.ts'

export const CREATE = {
  'All events': { url: 'https://example.com/hooks', name: 'CRM', events: ['*'] },
  'Calls only': {
    url: 'https://example.com/hooks',
    events: ['call.ringing', 'call.connected', 'call.ended', 'call.missed'],
  },
  'Fields of the platform (OFFICIAL)': {
    url: 'https://example.com/hooks',
    events: ['messages', 'message_template_status_update'],
  },
  'With the tenant key': { url: 'https://example.com/hooks', events: ['*'], channelNumberId: SAMPLE.numberId },
}
export const CHANGE = {
  'Other events': { events: ['call.ringing', 'call.ended'] },
  'Pause it': { active: false },
  'Switch it on again': { active: true },
  'Another address': { url: 'https://example.com/hooks/v2' },
}

export const WEBHOOK = {
  id: SAMPLE.webhookId,
  name: 'CRM',
  url: 'https://example.com/hooks',
  active: true,
  events: ['*'],
  channelNumberIds: [SAMPLE.numberId],
  lastTriggered: null,
  disabledReason: null,
  createdAt: SAMPLE.createdAt,
  updatedAt: SAMPLE.createdAt,
}
const SECRET = 'whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCBvZiAzMiBieXRlcyE='
export const CREATED = { ...WEBHOOK, secret: SECRET }
export const CHANGED = { ...WEBHOOK, events: ['call.ringing', 'call.ended'], updatedAt: SAMPLE.later }
export const SWITCHED_OFF = { ...WEBHOOK, active: false, disabledReason: 'FAILING', lastTriggered: SAMPLE.later }
export const DELETED = { deleted: true, id: SAMPLE.webhookId }
export const ROTATED = { id: SAMPLE.webhookId, secret: SECRET, previousSecretExpiresAt: '2026-01-06T12:00:00.000Z' }

const LOG = {
  id: SAMPLE.logId,
  webhookId: SAMPLE.webhookId,
  event: 'call.ended',
  eventId: SAMPLE.eventId,
  attempt: 1,
  status: 'SUCCESS',
  statusCode: 200,
  payload: `{"id":"${SAMPLE.eventId}","event":"call.ended","channelNumberId":"${SAMPLE.numberId}","timestamp":"${SAMPLE.createdAt}","data":{}}`,
  response: 'ok',
  durationMs: 87,
  createdAt: SAMPLE.createdAt,
}
const FAILED = { ...LOG, status: 'FAILED', statusCode: 0, response: 'The connection was refused', durationMs: 12 }
export const TESTED = {
  'It was taken': { ...LOG, event: 'webhook.test' },
  'It was not': { ...FAILED, event: 'webhook.test' },
}
export const LOGS = { webhookId: SAMPLE.webhookId, logs: [{ ...LOG, attempt: 2 }, FAILED] }
export const REDELIVER_FAILED = {
  'Since then': { since: SAMPLE.createdAt },
  'Of one day': { since: '2026-01-05', until: '2026-01-05' },
}
export const REDELIVERED_FAILED = { queued: 12 }
export const REDELIVERY = {
  webhookId: SAMPLE.webhookId,
  logId: SAMPLE.logId,
  eventId: SAMPLE.eventId,
  status: 'QUEUED',
}
