import { newId } from '../../../src/domain/ids.ts'
import type { EventId } from '../../../src/domain/ids.ts'
import type { DeliveryLog, DeliveryLogId, Webhook, WebhookId } from '../../../src/domain/webhook.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  NewWebhook,
  WebhookLogQuery,
  WebhookPatch,
  WebhookScope,
  WebhookStore,
} from '../../../src/ports/stores/webhook-store.ts'
import type { MemoryRows } from './rows.ts'

/** Webhooks in memory. */
export class MemoryWebhooks implements WebhookStore {
  readonly rows: Map<WebhookId, Webhook>
  /** Signing secrets, the current one first. */
  readonly secrets = new Map<WebhookId, { secret: string; until: Date | null }[]>()
  readonly log: DeliveryLog[] = []
  /** When the run of nothing but failures of a webhook began. */
  readonly failingSince = new Map<WebhookId, Date>()
  readonly #numbers: MemoryRows['numbers']
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.rows = rows.webhooks
    this.#numbers = rows.numbers
    this.#clock = clock
  }

  async create({ secret, ...fields }: NewWebhook, most: number): Promise<Webhook | null> {
    if (this.#numbers.get(fields.numberId)?.tenantId !== fields.tenantId)
      throw new Error('the number of the new webhook does not exist')
    if (this.#of(fields).length >= most) return null
    const at = new Date(this.#clock.now())
    const webhook: Webhook = {
      ...fields,
      id: newId('wh'),
      active: true,
      lastTriggered: null,
      disabledReason: null,
      createdAt: at,
      updatedAt: at,
    }
    this.rows.set(webhook.id, webhook)
    this.secrets.set(webhook.id, [{ secret, until: null }])
    return webhook
  }

  async list(scope: WebhookScope): Promise<Webhook[]> {
    return this.#of(scope)
  }

  #of({ tenantId, numberId }: WebhookScope): Webhook[] {
    return [...this.rows.values()].filter(
      (row) => row.tenantId === tenantId && (numberId === null || row.numberId === numberId),
    )
  }

  async find(scope: WebhookScope, id: WebhookId): Promise<Webhook | null> {
    return (await this.list(scope)).find((row) => row.id === id) ?? null
  }

  async patch(scope: WebhookScope, id: WebhookId, patch: WebhookPatch): Promise<Webhook | null> {
    const row = await this.find(scope, id)
    if (row && patch.active) this.failingSince.delete(id)
    return (
      row
      && this.put({
        ...row,
        ...patch,
        ...(patch.active ? { disabledReason: null } : {}),
        updatedAt: new Date(this.#clock.now()),
      })
    )
  }

  put(row: Webhook): Webhook {
    this.rows.set(row.id, row)
    return row
  }

  async remove(scope: WebhookScope, id: WebhookId): Promise<boolean> {
    return (await this.find(scope, id)) !== null && this.rows.delete(id)
  }

  async rotateSecret(scope: WebhookScope, id: WebhookId, secret: string, previousUntil: Date): Promise<boolean> {
    if (!(await this.find(scope, id))) return false
    const [current] = this.secrets.get(id) ?? []
    this.secrets.set(id, [{ secret, until: null }, ...(current ? [{ ...current, until: previousUntil }] : [])])
    return true
  }

  async logs(
    scope: WebhookScope,
    id: WebhookId,
    { limit, event, status, before }: WebhookLogQuery,
  ): Promise<DeliveryLog[] | null> {
    if (!(await this.find(scope, id))) return null
    const items = this.log.filter((item) => item.webhookId === id).toReversed()
    const place = before === null ? -1 : items.findIndex((item) => item.id === before)
    if (before !== null && place === -1) return null
    return items
      .slice(place + 1)
      .filter((item) => (event === null || item.event === event) && (status === null || item.status === status))
      .slice(0, limit)
  }

  async loggedEvent(scope: WebhookScope, id: WebhookId, logId: DeliveryLogId): Promise<EventId | null> {
    if (!(await this.find(scope, id))) return null
    return this.log.find((item) => item.webhookId === id && item.id === logId)?.eventId ?? null
  }

  addLog(webhook: Webhook, fields: Partial<DeliveryLog> = {}): DeliveryLog {
    const item: DeliveryLog = {
      id: newId('log'),
      webhookId: webhook.id,
      eventId: newId('evt'),
      event: 'call.ringing',
      attempt: 1,
      status: 'SUCCESS',
      statusCode: 200,
      payload: '{}',
      response: 'ok',
      durationMs: 12.4,
      createdAt: new Date(this.#clock.now()),
      ...fields,
    }
    this.log.push(item)
    return item
  }
}
