/**
 * Measures what the ORM adds to reads and writes of configuration: each beside the plain statement that does the same,
 * in turns in the same run, on the embedded database and, when TEST_DATABASE_URL is set, on PostgreSQL. Requests run
 * one after another, so that the time is what a caller waits. Of many short turns the fastest tenth counts, because
 * those had the machine to themselves.
 *
 *   node bench/tables.ts [turns]
 */
import type { Database } from '../src/storage/engine/database.ts'
import { newId } from '../src/domain/ids.ts'
import { rowsOf } from '../src/storage/engine/rows-of.ts'
import { WebhookEntity } from '../src/storage/webhooks/entity.ts'
import { openTestPglite, openTestPostgres, type TestDatabase } from '../test/helpers/database.ts'
import { TEST_DATABASE_URL } from '../test/helpers/test-servers.ts'
import { at } from './programs.ts'

const TURNS = Number(process.argv[2] ?? 60)
const TIMES = 25
/** Runs before measuring, so that code is compiled and plans are made. */
const WARM = 1_500
const LISTED = 10

const webhooks = rowsOf(WebhookEntity)
const tenantId = newId('ten')
const others = newId('ten')
const numberId = newId('num')
const ids = Array.from({ length: LISTED }, () => newId('wh'))

function webhookOf(id = newId('wh'), owner = tenantId) {
  const now = new Date()
  return {
    id,
    tenantId: owner,
    numberId,
    provider: 'OFFICIAL' as const,
    name: 'Bench',
    url: 'https://bench.example/hook',
    active: true,
    events: ['message.received' as const],
    sealedSecret: 'sealed'.repeat(20),
    sealedPreviousSecret: null,
    previousUntil: null,
    lastTriggered: null,
    failingSince: null,
    disabledReason: null,
    removedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

interface Pair {
  readonly plain: (turn: number) => Promise<unknown>
  readonly ours: (turn: number) => Promise<unknown>
}

const INSERT = `insert into webhooks (${webhooks.list()}) values (${Object.keys(webhooks.columns)
  .map((_, i) => `$${i + 1}`)
  .join(', ')})`

function insert(database: Database, webhook: ReturnType<typeof webhookOf>, returning = ''): Promise<object[]> {
  return database.query(
    INSERT + returning,
    Object.values(webhooks.write(webhook)).map((value: unknown) =>
      value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as string),
    ),
  )
}

function pairs(database: Database): Readonly<Record<string, Pair>> {
  const scope = { tenantId }
  const urlOf = (turn: number) => `https://bench.example/${turn}`
  return {
    'read of one': {
      plain: async () =>
        (
          await database.query(`select ${webhooks.list()} from webhooks where tenant_id = $1 and id = $2`, [
            tenantId,
            ids[0] ?? '',
          ])
        ).map((row) => webhooks.read(row as never)),
      ours: () => database.entities(scope).readOne(WebhookEntity, { id: ids[0] ?? 'wh_' }),
    },
    [`read of ${LISTED}`]: {
      plain: async () =>
        (
          await database.query(`select ${webhooks.list()} from webhooks where tenant_id = $1 order by created_at, id`, [
            tenantId,
          ])
        ).map((row) => webhooks.read(row as never)),
      ours: () => database.entities(scope).read(WebhookEntity, {}, { orderBy: { createdAt: 'asc', id: 'asc' } }),
    },
    'write of a new one': {
      plain: () => insert(database, webhookOf(newId('wh'), others)),
      async ours() {
        await database.entities(scope).added(WebhookEntity, webhookOf(newId('wh'), others))
      },
    },
    update: {
      plain: (turn) =>
        database.query(
          'update webhooks set url = $3, updated_at = $4::timestamptz where tenant_id = $1 and id = $2 returning 1',
          [tenantId, ids[1] ?? '', urlOf(turn), new Date().toISOString()],
        ),
      ours: (turn) =>
        database
          .entities(scope)
          .changed(WebhookEntity, { id: ids[1] ?? 'wh_' }, { url: urlOf(turn), updatedAt: new Date() }),
    },
    'write of a new one, answered': {
      plain: async () =>
        webhooks.read(
          (await insert(database, webhookOf(newId('wh'), others), ` returning ${webhooks.list()}`))[0] as never,
        ),
      ours: () => database.entities(scope).created(WebhookEntity, webhookOf(newId('wh'), others)),
    },
    'read and changed': {
      async plain(turn) {
        const [row] = await database.query(`select ${webhooks.list()} from webhooks where tenant_id = $1 and id = $2`, [
          tenantId,
          ids[2] ?? '',
        ])
        webhooks.read(row as never)
        await database.query('update webhooks set url = $2, updated_at = $3::timestamptz where id = $1 returning 1', [
          ids[2] ?? '',
          urlOf(turn),
          new Date().toISOString(),
        ])
      },
      async ours(turn) {
        const rows = database.entities(scope)
        await rows.readOne(WebhookEntity, { id: ids[2] ?? 'wh_' })
        await rows.changed(WebhookEntity, { id: ids[2] ?? 'wh_' }, { url: urlOf(turn), updatedAt: new Date() })
      },
    },
    'held, changed in a transaction': {
      plain: (turn) =>
        database.transaction(async (session) => {
          const [row] = await session.query(
            `select ${webhooks.list()} from webhooks where tenant_id = $1 and id = $2 for update`,
            [tenantId, ids[3] ?? ''],
          )
          webhooks.read(row as never)
          await session.query('update webhooks set url = $2, updated_at = $3::timestamptz where id = $1', [
            ids[3] ?? '',
            urlOf(turn),
            new Date().toISOString(),
          ])
        }),
      ours: (turn) =>
        database.unitOfWork(scope, async (rows) => {
          await rows.readOne(WebhookEntity, { id: ids[3] ?? 'wh_' }, { lock: 'update' })
          await rows.changed(WebhookEntity, { id: ids[3] ?? 'wh_' }, { url: urlOf(turn), updatedAt: new Date() })
        }),
    },
  }
}

interface Cost {
  readonly wallUs: number
  readonly cpuUs: number
}

async function timed(work: (turn: number) => Promise<unknown>): Promise<Cost> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  for (let i = 0; i < TIMES; i++) await work(i)
  const { user, system } = process.cpuUsage(before)
  return { wallUs: ((performance.now() - began) * 1_000) / TIMES, cpuUs: (user + system) / TIMES }
}

function quick(costs: readonly Cost[]): Cost {
  const of = (pick: (cost: Cost) => number) =>
    at(
      costs.map(pick).toSorted((a, b) => a - b),
      0.1,
    )
  return { wallUs: of(({ wallUs }) => wallUs), cpuUs: of(({ cpuUs }) => cpuUs) }
}

async function compare(name: string, { database, close }: TestDatabase): Promise<void> {
  for (const id of [tenantId, others])
    await database.query('insert into tenants (id, name, created_at) values ($1, $1, now())', [id])
  for (const id of ids) await insert(database, webhookOf(id))
  for (const [what, { plain, ours }] of Object.entries(pairs(database))) {
    for (let i = 0; i < WARM / TIMES; i++) {
      await timed(plain)
      await timed(ours)
    }
    const [plains, ourses]: [Cost[], Cost[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      plains.push(await timed(plain))
      ourses.push(await timed(ours))
    }
    const [own, bare] = [quick(ourses), quick(plains)]
    console.log(
      `${name} ${what}: ${own.wallUs.toFixed(0)} us against ${bare.wallUs.toFixed(0)} us: ${(own.wallUs / bare.wallUs).toFixed(2)}; CPU ${own.cpuUs.toFixed(0)} us against ${bare.cpuUs.toFixed(0)} us`,
    )
  }
  await database.entities('everybody').removed(WebhookEntity, { numberId })
  await close()
}

await compare('embedded', await openTestPglite())
if (TEST_DATABASE_URL) await compare('PostgreSQL', await openTestPostgres(TEST_DATABASE_URL))
