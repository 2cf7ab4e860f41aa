import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import type { WebhookId } from '../../src/domain/webhook.ts'
import type { Cipher } from '../../src/ports/cipher.ts'
import { secretContext } from '../../src/storage/webhooks/store.ts'

/** Days that events and logs are spread over, which is nearly as long as they are kept. */
const TOLD_DAYS = 28
/** Rows per statement. Each statement is a transaction, because readers of events advance by transactions. */
const ROWS_AT_ONCE = 100_000
/** One log per this many events, because not every event has a webhook. */
const EVENTS_A_LOG = 2

/** A number with the webhook of its logs. */
export interface ToldNumber {
  readonly id: NumberId
  readonly tenantId: TenantId
  readonly webhookId: WebhookId
}

/** Creates numbers, each of a tenant of its own. */
export async function makeNeighbours(
  client: pg.Client,
  count: number,
): Promise<{ readonly id: NumberId; readonly tenantId: TenantId }[]> {
  const names = Array.from({ length: count }, () => randomBytes(13).toString('hex'))
  await client.query(
    `insert into tenants (id, name, created_at) select 'ten_' || name, 'Neighbour', now() from unnest($1::text[]) as named (name)`,
    [names],
  )
  await client.query(
    `insert into channel_numbers (id, tenant_id, name, number, provider, settings, pii_mode, created_at, updated_at)
    select 'num_' || name, 'ten_' || name, 'Neighbour', (5511970000000 + place)::text, 'UNOFFICIAL', '{}', 'STORE_INDEFINITE', now(), now() from unnest($1::text[]) with ordinality as named (name, place)`,
    [names],
  )
  return names.map((name) => ({ id: `num_${name}`, tenantId: `ten_${name}` }))
}

/** Gives a number a webhook that is disabled. */
export async function makeWebhook(
  client: pg.Client,
  cipher: Cipher,
  { id, tenantId }: Pick<ToldNumber, 'id' | 'tenantId'>,
): Promise<WebhookId> {
  const webhookId: WebhookId = `wh_${randomBytes(13).toString('hex')}`
  await client.query(
    `insert into webhooks (id, tenant_id, number_id, provider, url, active, events, sealed_secret, created_at, updated_at)
    values ($1, $2, $3, 'UNOFFICIAL', 'http://127.0.0.1:9/', false, '["*"]', $4, now(), now())`,
    [webhookId, tenantId, id, cipher.seal('none', secretContext(webhookId))],
  )
  return webhookId
}

const DATA = JSON.stringify({
  messageId: '3EB0C0FFEE',
  internalMessageId: 'msg_none',
  destination: '+5511990000009',
  createdAt: '2026-01-01T00:00:00.000Z',
  text: 'x'.repeat(150),
})

/**
 * Stores an event for each of `count` things and a log for every second one, oldest first, as they would have been
 * stored.
 */
export async function fillTold(
  client: pg.Client,
  { id, tenantId, webhookId }: ToldNumber,
  count: number,
): Promise<void> {
  const own = randomBytes(4).toString('hex')
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const until = Math.min(count, from + ROWS_AT_ONCE)
    const spread = `select n, now() - interval '${TOLD_DAYS} days' * (1 - n::float8 / ${count}) as at from generate_series(${from + 1}, ${until}) n`
    await client.query(
      `insert into events (id, tenant_id, number_id, event, data, created_at)
      select 'evt_' || $1 || lpad(n::text, 18, '0'), $2, $3, 'message.sent', $4, at from (${spread}) spread order by n`,
      [own, tenantId, id, DATA],
    )
    await client.query(
      `insert into webhook_logs (id, webhook_id, event_id, event, attempt, status, status_code, payload, response, duration_ms, created_at)
      select 'log_' || $1 || lpad(n::text, 18, '0'), $2, 'evt_' || $1 || lpad(n::text, 18, '0'), 'message.sent', 1, 'SUCCESS', 200, $3, 'ok', 12, at from (${spread}) spread where n % ${EVENTS_A_LOG} = 0 order by n`,
      [own, webhookId, DATA],
    )
  }
}

/** The index that is needed while a number's own rows are made. */
const NEEDED = 'messages_history'

/**
 * Runs `work` while tables keep only the indexes of constraints and one more. Building the others afterwards takes a
 * fraction of the time of maintaining them.
 */
export async function withoutIndexes(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from (select 'messages'::regclass as relid union all select relid from pg_partition_tree('events') where isleaf
      union all select relid from pg_partition_tree('webhook_logs') where isleaf) part
    join pg_index i on i.indrelid = part.relid
    where not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid) and i.indexrelid::regclass::text <> $1`,
    [NEEDED],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await client.query(`set maintenance_work_mem = '512MB'`)
  for (const { definition } of rows) await client.query(definition)
}
