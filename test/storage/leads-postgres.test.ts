import { AsyncResource } from 'node:async_hooks'
import test from 'ava'
import {
  captured,
  countsOf,
  linked,
  madeNumber,
  newNotice,
  rowsOf,
  settle,
  stored,
  told,
  TRACES,
  type Linked,
} from '../contracts/lead-world.ts'
import type { World } from '../contracts/world.ts'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { leadSuites } from './suites.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('leads keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  const makeWorld = worldsOver(database)
  leadSuites(test, 'PostgreSQL', makeWorld)

  /**
   * Does `work` while a transaction that ran `first` is open. The transaction ends once `work` waits for it. Resolves
   * to the outcome of `work`.
   */
  async function whileOpen<T>(first: readonly [string, readonly string[]][], work: () => Promise<T>): Promise<T> {
    const waiting = () =>
      database().query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and (query like '%lead%' or query like '%events%')`,
      )
    let started: Promise<T> | null = null
    // Bound outside the transaction, because the database would otherwise run it inside.
    const begin = AsyncResource.bind(() => {
      started = work()
    })
    const look = AsyncResource.bind(waiting)
    await database().transaction(async (session) => {
      for (const [sql, values] of first) await session.query(sql, values)
      begin()
      await until('it waits', async () => (await look()).length > 0)
    })
    if (started === null) throw new Error('it was not started')
    return started
  }

  const removal = ({ number }: Linked): [string, readonly string[]][] => [
    ['select 1 from channel_numbers where id = $1 for update', [number.id]],
    ['delete from channel_numbers where id = $1', [number.id]],
  ]

  test.serial('a lead that is stored while its number is being removed leaves nothing behind', async (t) => {
    const world = makeWorld()
    const one = await linked(world)
    const lead = captured(one.page)
    t.deepEqual(
      await whileOpen(removal(one), () =>
        world.stores.leads.store(lead, () => {
          throw new Error('nothing is settled')
        }),
      ),
      { kind: 'gone' },
    )
    t.deepEqual(
      [await rowsOf(world, 'leads', 'leadgen_id', lead.leadgenId), await countsOf(world, one.number.id)],
      [[], {}],
    )
  })

  test.serial('a number that is removed while a lead is stored takes it along', async (t) => {
    const world = makeWorld()
    const one = await linked(world)
    const removed: Promise<boolean>[] = []
    // Settling runs inside the transaction; what it starts must not.
    const remove = AsyncResource.bind(() => {
      removed.push(world.stores.numbers.remove(one.tenantId, one.number.id))
    })
    const waiting = AsyncResource.bind(() =>
      database().query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%channel_numbers%'`,
      ),
    )
    const result = await world.stores.leads.store(captured(one.page), async (facts) => {
      remove()
      await until('the removal waits', async () => (await waiting()).length > 0)
      return settle(told())(facts)
    })
    t.is(result.kind, 'stored')
    t.deepEqual(await Promise.all(removed), [true])
    t.deepEqual(
      [await rowsOf(world, 'leads', 'number_id', one.number.id), await countsOf(world, one.number.id)],
      [[], {}],
    )
  })

  test.serial('a lead that is stored while its Page goes to another number goes there', async (t) => {
    const world = makeWorld()
    const one = await linked(world)
    const second = await madeNumber(world, {}, one.tenantId)
    const lead = captured(one.page)
    const result = await whileOpen(
      [['update lead_pages set number_id = $2 where page_id = $1', [one.page.pageId, second.number.id]]],
      () => world.stores.leads.store(lead, settle()),
    )
    t.is(result.kind === 'stored' ? result.lead.channelNumberId : null, second.number.id)
  })

  test.serial('a lead is settled by the mode its number has once it can be stored', async (t) => {
    const world = makeWorld()
    const one = await linked(world)
    const modes: string[] = []
    await whileOpen([[`update channel_numbers set pii_mode = 'RELAY_ONLY' where id = $1`, [one.number.id]]], () =>
      world.stores.leads.store(captured(one.page), (facts) => {
        modes.push(facts.retention.piiMode)
        return settle()(facts)
      }),
    )
    t.deepEqual(modes, ['RELAY_ONLY'])
  })

  test.serial('leads of one form are settled one after another, each knowing of the one before', async (t) => {
    const [world, other] = [makeWorld(), makeWorld()]
    const one = await linked(world)
    const known = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const seen: boolean[] = []
        const { leads } = n % 2 === 0 ? world.stores : other.stores
        await leads.store(captured(one.page), async (facts) => {
          const isAnswered = await facts.wasAnsweredSince('5511999990000', new Date(0))
          seen.push(isAnswered)
          const order = { templateId: 'tpl_x', to: '5511999990000', variables: {} } as const
          return {
            ...(await settle()(facts)),
            autoSend: isAnswered ? { status: 'skipped', reason: 'already_sent' } : { status: 'pending', order },
          }
        })
        return seen
      }),
    )
    t.deepEqual(known.flat().toSorted(), [false, true, true, true, true, true])
  })

  test.serial('leads that wait for another of their Page hold no connection meanwhile', async (t) => {
    const world = makeWorld()
    const one = await linked(world)
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = world.stores.leads.store(captured(one.page), async (facts) => {
      begun.resolve()
      await gate.promise
      return settle()(facts)
    })
    await begun.promise
    const others = Array.from({ length: 20 }, () => world.stores.leads.store(captured(one.page), settle()))
    t.like(await world.stores.privacy.retentionOf(one.number.id), { piiMode: 'STORE_INDEFINITE' })
    gate.resolve()
    t.deepEqual(new Set((await Promise.all([first, ...others])).map(({ kind }) => kind)), new Set(['stored']))
  })

  test.serial(
    'notices that come while their Page is being removed go with it, and those beside them are stored',
    async (t) => {
      const world = makeWorld()
      const one = await linked(world)
      const other = await linked(world, { appId: one.page.appId })
      const notices = [newNotice(one.page), newNotice(other.page)]
      t.is(
        await whileOpen([['delete from lead_pages where page_id = $1', [one.page.pageId]]], () =>
          world.stores.leadNotices.accept(one.page.appId, one.page.appSecret, notices),
        ),
        1,
      )
      t.deepEqual(
        [
          (await rowsOf(world, 'lead_notices', 'page_id', one.page.pageId)).length,
          (await rowsOf(world, 'lead_notices', 'page_id', other.page.pageId)).length,
        ],
        [0, 1],
      )
    },
  )

  test.serial('an import that begins while its Page is being removed does not begin', async (t) => {
    const world = makeWorld()
    const { tenantId, number, page } = await linked(world)
    const backfill = {
      tenantId,
      numberId: number.id,
      pageId: page.pageId,
      formId: '77',
      since: new Date(0),
      until: new Date(),
    }
    t.deepEqual(
      await whileOpen([['delete from lead_pages where page_id = $1', [page.pageId]]], () =>
        world.stores.leadBackfills.start(backfill),
      ),
      { kind: 'gone' },
    )
    t.deepEqual(await rowsOf(world, 'lead_backfills', 'page_id', page.pageId), [])
  })

  async function erased(world: World) {
    const one = await linked(world)
    const lead = await stored(world, captured(one.page), told())
    const [row] = await rowsOf(world, 'leads', 'id', lead.id)
    return { one, lead, eventId: String(row?.['event_id']) }
  }

  test.serial('a log that is stored while its lead is being erased is emptied, too', async (t) => {
    const world = makeWorld()
    const { one, lead, eventId } = await erased(world)
    const log = `insert into webhook_logs (id, webhook_id, event_id, event, attempt, status, status_code, payload, response, duration_ms, created_at)
      values ($1, 'wh_x', $2, 'lead.received', 1, 'SUCCESS', 200, $3, $3, 1, now())`
    const first: [string, readonly string[]][] = [
      ['select 1 from events where id = $1 for share', [eventId]],
      [log, [`log_${eventId}`, eventId, TRACES.join()]],
    ]
    const isErased = await whileOpen(first, () => world.stores.leads.erase(one.number.id, lead.id))
    t.true(isErased)
    t.like((await rowsOf(world, 'webhook_logs', 'event_id', eventId))[0], { payload: '', response: '' })
  })
}
