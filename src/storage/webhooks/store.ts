import { raw } from '@mikro-orm/core'
import { newId, timeOf, type EventId, type NumberId } from '../../domain/ids.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { DeliveryLog, DeliveryLogId, StoredLog, Webhook, WebhookId } from '../../domain/webhook.ts'
import type {
  NewWebhook,
  WebhookLogQuery,
  WebhookPatch,
  WebhookScope,
  WebhookStore,
} from '../../ports/stores/webhook-store.ts'
import { WebhookEntity, WebhookLogEntity } from './entity.ts'
import type { Engine } from '../engine/engine.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { bodiesOf, isTold } from '../events/store.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { ALONG_INDEX } from '../engine/partitions.ts'
import { rowsOf, type RecordOf, type RowOf } from '../engine/rows-of.ts'
import { toDate } from '../engine/rows.ts'
import { Parameters } from '../engine/statement.ts'

type WebhookRow = RecordOf<typeof WebhookEntity>

const LOGS = rowsOf(WebhookLogEntity).without('isQueued')

/** Our choice: the id of a log of an earlier version was made at most this long, in ms, after its attempt began. */
const LONGEST_TRY_MS = 600_000

/** The context that a webhook's secrets are sealed with. */
export function secretContext(id: WebhookId): string {
  return `webhook-secret:${id}`
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    tenantId: row.tenantId,
    numberId: row.numberId,
    name: row.name,
    url: row.url,
    active: row.active,
    events: row.events,
    lastTriggered: row.lastTriggered,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** A webhook whose number was removed is invisible. */
const VISIBLE = { removedAt: null }

/** Webhooks as entities of the tenant, and of the number when the caller has only one. */
class SqlWebhookStore implements WebhookStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  create({ secret, ...webhook }: NewWebhook, most: number): Promise<Webhook | null> {
    return this.#database.unitOfWork({ tenantId: webhook.tenantId, numberId: webhook.numberId }, async (rows) => {
      const provider = await holdNumber(rows, webhook.numberId)
      if ((await rows.count(WebhookEntity, VISIBLE)) >= most) return null
      const id: WebhookId = newId('wh')
      const now = new Date(this.#clock.now())
      const row = await rows.created(WebhookEntity, {
        ...webhook,
        id,
        provider,
        events: [...webhook.events],
        sealedSecret: this.#cipher.seal(secret, secretContext(id)),
        createdAt: now,
        updatedAt: now,
      })
      return toWebhook(row)
    })
  }

  /** Oldest first. */
  async list(scope: WebhookScope): Promise<Webhook[]> {
    const rows = await this.#database
      .entities(scope)
      .read(WebhookEntity, VISIBLE, { orderBy: { createdAt: 'asc', id: 'asc' } })
    return rows.map(toWebhook)
  }

  async find(scope: WebhookScope, id: WebhookId): Promise<Webhook | null> {
    const row = await this.#database.entities(scope).readOne(WebhookEntity, { id, ...VISIBLE })
    return row && toWebhook(row)
  }

  async patch(
    scope: WebhookScope,
    id: WebhookId,
    { name, url, events, active }: WebhookPatch,
  ): Promise<Webhook | null> {
    const [row] = await this.#database.entities(scope).updated(
      WebhookEntity,
      { id, ...VISIBLE },
      {
        updatedAt: new Date(this.#clock.now()),
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: [...events] }),
        ...(active === undefined ? {} : { active, disabledReason: null, failingSince: null }),
      },
    )
    return row ? toWebhook(row) : null
  }

  async remove(scope: WebhookScope, id: WebhookId): Promise<boolean> {
    return (await this.#database.entities(scope).removed(WebhookEntity, { id, ...VISIBLE })) > 0
  }

  async rotateSecret(scope: WebhookScope, id: WebhookId, secret: string, previousUntil: Date): Promise<boolean> {
    return (
      (await this.#database.entities(scope).changed(
        WebhookEntity,
        { id, ...VISIBLE },
        {
          sealedSecret: this.#cipher.seal(secret, secretContext(id)),
          sealedPreviousSecret: raw('sealed_secret'),
          previousUntil,
          updatedAt: new Date(this.#clock.now()),
        },
      )) > 0
    )
  }

  async logs(
    scope: WebhookScope,
    id: WebhookId,
    { limit, event, status, before }: WebhookLogQuery,
  ): Promise<DeliveryLog[] | null> {
    const webhook = await this.find(scope, id)
    const place = webhook && before !== null ? await this.#placeOf(webhook.id, before) : null
    if (!webhook || (before !== null && place === null)) return null
    const p = new Parameters()
    const where = [`webhook_id = ${p.add(webhook.id)}`, isTold('created_at', p.time(this.#clock.now()))]
    if (event !== null) where.push(`event = ${p.add(event)}`)
    // Written out, so that the partial index of failed attempts serves it.
    if (status !== null) where.push(`status = '${status}'`)
    if (place !== null)
      where.push(`(created_at, id) < ((select ${p.time(place.createdAt)}), (select ${p.add(place.id)}::text))`)
    const { lists } = this.#database
    const rows = await lists.query<RowOf<StoredLog>>(
      `select ${LOGS.list('l')} from webhook_logs l ${ALONG_INDEX} where ${where.join(' and ')} order by created_at desc, id desc limit ${p.add(limit)}`,
      p.values,
    )
    const logs = rows.map((row) => LOGS.read(row))
    // An event was stored before the log of its delivery, so the replica that has the log has the event.
    const bodies = await bodiesOf(
      lists,
      scope.tenantId,
      logs.flatMap(({ payload, eventId }) => (payload === null ? [eventId] : [])),
    )
    return logs.map((log) => ({ ...log, payload: log.payload ?? bodies.get(log.eventId) ?? '' }))
  }

  /** Where an item stands in the log of its webhook. It is read from the primary, which alone has every item. */
  async #placeOf(webhookId: WebhookId, id: DeliveryLogId): Promise<Pick<DeliveryLog, 'id' | 'createdAt'> | null> {
    const rows = await this.#loggedRows(webhookId, id)
    return rows[0] ? { id, createdAt: toDate(rows[0].created_at) } : null
  }

  async loggedEvent(scope: WebhookScope, id: WebhookId, logId: DeliveryLogId): Promise<EventId | null> {
    const webhook = await this.find(scope, id)
    if (!webhook) return null
    const rows = await this.#loggedRows(webhook.id, logId)
    return rows[0]?.event_id ?? null
  }

  /** Logs lie by webhook and time; the time of one is that of its id, or in logs of before a little earlier. */
  async #loggedRows(webhookId: WebhookId, id: DeliveryLogId): Promise<{ event_id: EventId; created_at: string }[]> {
    const timeMs = timeOf(id)
    if (timeMs === null) return []
    const p = new Parameters()
    return this.#database.query(
      `select event_id, created_at from webhook_logs where webhook_id = ${p.add(webhookId)} and id = ${p.add(id)}
        and created_at >= ${p.time(timeMs - LONGEST_TRY_MS)} and created_at <= ${p.time(timeMs)} and ${isTold('created_at', p.time(this.#clock.now()))}`,
      p.values,
    )
  }
}

/**
 * The kind of a number. The number stays locked, so that a removal under way takes the new webhook too or finds none,
 * and webhooks that are made at once count each other.
 */
async function holdNumber(rows: UnitManager, id: NumberId): Promise<ProviderKind> {
  const number = await rows.readOne(ChannelNumberEntity, { id }, { lock: 'no key update' })
  if (!number) throw new Error('the number of the new webhook does not exist')
  return number.provider
}

/** Webhooks over an open database. */
export function openWebhooks(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): {
  readonly webhooks: WebhookStore
} {
  return { webhooks: new SqlWebhookStore(engine) }
}
