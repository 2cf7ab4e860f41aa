import { setTimeout as pause } from 'node:timers/promises'
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
const LOGS_PAGE = 50

/** All events the service has stored for the key, oldest first. */
export async function storedEvents(service: Service, key: string): Promise<StoredEnvelope[]> {
  const all: StoredEnvelope[] = []
  for (;;) {
    const last = all.at(-1)
    const { body } = await service.api('GET', `/v1/events?limit=${EVENTS_PAGE}${last ? `&after=${last.id}` : ''}`, key)
    all.push(...body.events)
    if (body.events.length < EVENTS_PAGE) return all
  }
}

/** One page of a webhook's logs, newest first. */
export async function logsOf(service: Service, key: string, webhookId: string, query = ''): Promise<LogItem[]> {
  const answer = await service.api('GET', `/v1/webhooks/${webhookId}/logs${query}`, key)
  if (answer.status !== 200) throw new Error(`no logs: ${answer.status} ${answer.text}`)
  return answer.body.logs
}

/**
 * Gathers all logs of some webhooks while they grow. A page holds the newest 50, so it must be read
 * often enough that each page overlaps with the one before; `gaps` counts where it was not.
 */
export class LogCollector {
  readonly #items = new Map<string, LogItem>()
  readonly #service: Service
  readonly #webhookIds: readonly string[]
  #isStopped = false
  #running: Promise<void> = Promise.resolve()
  gaps = 0

  constructor(service: Service, webhookIds: readonly string[]) {
    this.#service = service
    this.#webhookIds = webhookIds
  }

  get items(): LogItem[] {
    return [...this.#items.values()]
  }

  start(everyMs: number): void {
    this.#running = (async () => {
      while (!this.#isStopped) {
        // The gateway is away now and then; what it has not told yet is told later.
        await this.sweep().catch(() => {})
        await pause(everyMs)
      }
    })()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
    await this.sweep()
  }

  async sweep(): Promise<void> {
    for (const webhookId of this.#webhookIds) {
      const page = await logsOf(this.#service, this.#service.tenantKey, webhookId)
      const known = page.filter(({ id }) => this.#items.has(id)).length
      if (page.length === LOGS_PAGE && known === 0) this.gaps++
      for (const item of page) this.#items.set(item.id, item)
    }
  }
}
