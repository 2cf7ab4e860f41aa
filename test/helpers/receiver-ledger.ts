import { eventsShown } from './events-shown.ts'
import type { Service } from './service.ts'

export interface StoredEnvelope {
  readonly id: string
  readonly event: string
  readonly channelNumberId: string
  readonly timestamp: string
  readonly data: any
}

export interface LogItem {
  readonly id: string
  readonly webhookId: string
  readonly event: string
  readonly eventId: string
  readonly attempt: number
  readonly status: 'SUCCESS' | 'FAILED'
  readonly statusCode: number
  readonly payload: string
  readonly response: string
  readonly durationMs: number
  readonly createdAt: string
}

const EVENTS_PAGE = 1_000

/** All stored events of the key, oldest first; only those after `after` when it is given. */
export async function storedEvents(service: Service, key: string, after?: string): Promise<StoredEnvelope[]> {
  const all: StoredEnvelope[] = []
  await eventsShown()
  for (;;) {
    const last = all.at(-1)?.id ?? after
    const { body } = await service.api('GET', `/v1/events?limit=${EVENTS_PAGE}${last ? `&after=${last}` : ''}`, key)
    all.push(...body.events)
    if (body.events.length < EVENTS_PAGE) return all
  }
}

/**
 * All logs of the service, read from its rows, so the gateway must be stopped. The API shows the newest 50 of a
 * webhook, and a storm writes more at once.
 */
export async function loggedAttempts(source: {
  rows<T extends object>(sql: string): Promise<T[]>
}): Promise<LogItem[]> {
  return await source.rows<LogItem>(`select id, webhook_id as "webhookId", event, event_id as "eventId", attempt, status, status_code as "statusCode",
    payload, response, duration_ms as "durationMs", created_at::text as "createdAt" from webhook_logs order by created_at, id`)
}

/** One page of a webhook's logs, newest first. */
export async function logsOf(service: Service, key: string, webhookId: string, query = ''): Promise<LogItem[]> {
  const answer = await service.api('GET', `/v1/webhooks/${webhookId}/logs${query}`, key)
  if (answer.status !== 200) throw new Error(`no logs: ${answer.status} ${answer.text}`)
  return answer.body.logs
}
