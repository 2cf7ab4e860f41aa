import type { FilterQuery, InferEntity } from '@mikro-orm/core'
import { newId, type EventId } from '../../domain/ids.ts'
import type { EventName } from '../../domain/events.ts'
import type { NativeField } from '../../domain/upstream-fields.ts'
import type { DeliveryLog, DeliveryLogId, Webhook, WebhookId } from '../../domain/webhook.ts'
import { storableText } from '../../domain/storable.ts'
import type { NewWebhook, WebhookPatch, WebhookScope, WebhookStore } from '../../ports/stores/webhook-store.ts'
import { WebhookEntity } from './entity.ts'
import { WebhookLogEntity } from './log-entity.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { isTold } from '../events/store.ts'
import { ALONG_INDEX } from '../engine/partitions.ts'
import { Parameters } from '../engine/statement.ts'

type WebhookRow = InferEntity<typeof WebhookEntity>

/** Context under which a webhook's secrets are sealed. */
export function secretContext(id: WebhookId): string {
  return `webhook-secret:${id}`
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id, tenantId: row.tenantId, numberId: row.numberId, name: row.name ?? null, url: row.url, active: row.active, events: row.events,
    lastTriggered: row.lastTriggered ?? null, disabledReason: row.disabledReason ?? null, createdAt: row.createdAt, updatedAt: row.updatedAt,
  }
}

function toLog(row: InferEntity<typeof WebhookLogEntity>): DeliveryLog {
  return {
    id: row.id, webhookId: row.webhookId, eventId: row.eventId, event: row.event, attempt: row.attempt, status: row.status,
    statusCode: row.statusCode, payload: row.payload, response: row.response, durationMs: row.durationMs, createdAt: row.createdAt,
  }
}

/** What a scope sees, as the ORM asks it. */
function visible(scope: WebhookScope): FilterQuery<WebhookRow> {
  const own = scope.numberId === null ? { tenantId: scope.tenantId } : { tenantId: scope.tenantId, numberId: scope.numberId }
  return { ...own, removedAt: null }
}

/** The same in SQL, for one webhook. */
function isVisible(p: Parameters, scope: WebhookScope, id: WebhookId): string {
  const own = scope.numberId === null ? '' : ` and w.number_id = ${p.add(scope.numberId)}`
  return `w.id = ${p.add(id)} and w.tenant_id = ${p.add(scope.tenantId)}${own} and w.removed_at is null`
}

/** Webhooks as rows; each statement names the tenant, and the number where the caller has only one. */
class SqlWebhookStore implements WebhookStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  async create(webhook: NewWebhook, most: number): Promise<Webhook | null> {
    const id: WebhookId = newId('wh')
    const p = new Parameters()
    const now = p.time(this.#clock.now())
    const values = [
      p.add(id), 'n.tenant_id', 'n.id', 'n.provider', p.add(webhook.name), p.add(webhook.url), `${p.add(JSON.stringify(webhook.events))}::jsonb`,
      p.add(this.#cipher.seal(webhook.secret, secretContext(id))), now, now,
    ]
    const number = `n.tenant_id = ${p.add(webhook.tenantId)} and n.id = ${p.add(webhook.numberId)}`
    const insert = `insert into webhooks (id, tenant_id, number_id, provider, name, url, events, sealed_secret, created_at, updated_at)
      select ${values.join(', ')} from channel_numbers n where ${number} returning *`
    const rows = await this.#database.transaction(async (session) => await this.#hasRoom(session, webhook, most) ? session.query<object>(insert, p.values) : null)
    return rows && this.#toWebhook(rows)
  }

  /** The number stays locked, so that a removal under way takes the new webhook too or leaves none, and those that are made at once count each other. */
  async #hasRoom(session: SqlSession, { tenantId, numberId }: NewWebhook, most: number): Promise<boolean> {
    const numbers = await session.query('select 1 from channel_numbers where tenant_id = $1 and id = $2 for no key update', [tenantId, numberId])
    if (numbers.length === 0) throw new Error('the number of the new webhook does not exist')
    // A statement of its own: it must see what was committed while the lock was waited for.
    const counted = await session.query<{ count: number }>('select count(*)::integer as count from webhooks where tenant_id = $1 and number_id = $2 and removed_at is null', [tenantId, numberId])
    return (counted[0]?.count ?? 0) < most
  }

  /** Oldest first. */
  async list(scope: WebhookScope): Promise<Webhook[]> {
    const rows = await this.#database.read((rows) => rows.find(WebhookEntity, visible(scope), { orderBy: { createdAt: 'asc', id: 'asc' } }))
    return rows.map(toWebhook)
  }

  async find(scope: WebhookScope, id: WebhookId): Promise<Webhook | null> {
    const row = await this.#database.read((rows) => rows.findOne(WebhookEntity, { $and: [visible(scope), { id: storableText(id) as WebhookId }] }))
    return row && toWebhook(row)
  }

  async patch(scope: WebhookScope, id: WebhookId, patch: WebhookPatch): Promise<Webhook | null> {
    const p = new Parameters()
    const sets = [`updated_at = ${p.time(this.#clock.now())}`]
    if (patch.name !== undefined) sets.push(`name = ${p.add(patch.name)}`)
    if (patch.url !== undefined) sets.push(`url = ${p.add(patch.url)}`)
    if (patch.events !== undefined) sets.push(`events = ${p.add(JSON.stringify(patch.events))}::jsonb`)
    if (patch.active !== undefined) sets.push(`active = ${p.add(patch.active)}::boolean`, 'disabled_reason = null', 'failing_since = null')
    const rows = await this.#database.query<object>(`update webhooks w set ${sets.join(', ')} where ${isVisible(p, scope, id)} returning w.*`, p.values)
    return this.#toWebhook(rows)
  }

  async remove(scope: WebhookScope, id: WebhookId): Promise<boolean> {
    const p = new Parameters()
    const rows = await this.#database.query(`delete from webhooks w where ${isVisible(p, scope, id)} returning w.id`, p.values)
    return rows.length > 0
  }

  async rotateSecret(scope: WebhookScope, id: WebhookId, secret: string, previousUntil: Date): Promise<boolean> {
    const p = new Parameters()
    const sealed = p.add(this.#cipher.seal(secret, secretContext(id)))
    const rows = await this.#database.query(`update webhooks w set
        sealed_secret = ${sealed}, sealed_previous_secret = w.sealed_secret, previous_until = ${p.time(previousUntil)}, updated_at = ${p.time(this.#clock.now())}
      where ${isVisible(p, scope, id)} returning w.id`, p.values)
    return rows.length > 0
  }

  async logs(scope: WebhookScope, id: WebhookId, page: { readonly limit: number, readonly event: EventName | NativeField | null }): Promise<DeliveryLog[] | null> {
    const webhook = await this.find(scope, id)
    if (!webhook) return null
    const p = new Parameters()
    const where = [`webhook_id = ${p.add(webhook.id)}`, isTold('created_at', p.time(this.#clock.now()))]
    if (page.event !== null) where.push(`event = ${p.add(page.event)}`)
    const rows = await this.#database.lists.query<object>(`select l.* from webhook_logs l ${ALONG_INDEX} where ${where.join(' and ')} order by created_at desc, id desc limit ${p.add(page.limit)}`, p.values)
    const mapper = this.#database.mapper()
    return rows.map((row) => toLog(mapper.map(WebhookLogEntity, row)))
  }

  async loggedEvent(scope: WebhookScope, id: WebhookId, logId: DeliveryLogId): Promise<EventId | null> {
    const p = new Parameters()
    const rows = await this.#database.query<{ event_id: EventId }>(`select l.event_id from webhook_logs l join webhooks w on w.id = l.webhook_id
      where ${isVisible(p, scope, id)} and l.id = ${p.add(logId)} and ${isTold('l.created_at', p.time(this.#clock.now()))}`, p.values)
    return rows[0]?.event_id ?? null
  }

  #toWebhook(rows: readonly object[]): Webhook | null {
    const row = rows[0]
    return row ? toWebhook(this.#database.mapper().map(WebhookEntity, row)) : null
  }
}

/** Webhooks over an open database. */
export function openWebhooks(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): { readonly webhooks: WebhookStore } {
  return { webhooks: new SqlWebhookStore(engine) }
}
