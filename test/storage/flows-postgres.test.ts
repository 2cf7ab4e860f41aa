import { AsyncResource } from 'node:async_hooks'
import test from 'ava'
import { AnswerRig } from '../contracts/flow-answers.ts'
import { flowAccount, madeFlow, upstreamId } from '../contracts/flow-world.ts'
import { newTenant } from '../contracts/official-store.ts'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { flowSuites } from './suites.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('Flows keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  flowSuites(test, 'PostgreSQL', database)
  const makeWorld = worldsOver(database)

  /**
   * Starts something beside an open transaction. Resolves once that waits for a lock or is done; returns its outcome.
   */
  function besides() {
    // Bound outside the transaction, because the database would otherwise run it inside.
    const waiting = AsyncResource.bind(() =>
      database().query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%flow%'`),
    )
    return async <T>(started: Promise<T>): Promise<{ readonly ended: Promise<T> }> => {
      let isDone = false
      const ended = started.finally(() => {
        isDone = true
      })
      await until('it waits', async () => isDone || (await waiting()).length > 0)
      return { ended }
    }
  }

  test.serial('an answer that comes while its Flow is being removed leaves nothing behind', async (t) => {
    const world = makeWorld()
    const { owner, number } = await flowAccount(world, await newTenant(world))
    const flow = await madeFlow(world, owner)
    const rig = new AnswerRig(database)
    await rig.send(number, { flowId: flow.id, externalId: `wamid.${flow.id}` })
    const [beside, store] = [
      besides(),
      AsyncResource.bind(() => rig.store(number, [{ contextId: `wamid.${flow.id}`, at: new Date() }])),
    ]
    const { ended } = await database().transaction(async (session) => {
      await session.query('select 1 from flows where id = $1 for update', [flow.id])
      await session.query('delete from flows where id = $1', [flow.id])
      await session.query('delete from flow_responses where flow_id = $1', [flow.id])
      return beside(store())
    })
    t.is(await ended, 0)
    t.deepEqual(await database().query('select 1 from flow_responses where flow_id = $1', [flow.id]), [])
  })

  test.serial(
    'a page that meets an upstream id which another row takes at the same time is merged with that row',
    async (t) => {
      const world = makeWorld()
      const { owner, number } = await flowAccount(world, await newTenant(world))
      const [first, second] = [
        await madeFlow(world, owner, { name: 'first' }),
        await madeFlow(world, owner, { name: 'second', ask: { kind: 'CREATE' } }),
      ]
      const externalId = upstreamId()
      const beside = besides()
      const merge = AsyncResource.bind(() =>
        world.stores.flows.merge(owner, null, [{ externalId, name: 'second' }], () => ({
          kind: 'CHANGE',
          patch: { officialFlowId: externalId, jsonVersion: '7.1' },
        })),
      )
      const { ended } = await database().transaction(async (session) => {
        await session.query('update flows set external_id = $2 where id = $1', [first.id, externalId])
        return beside(merge())
      })
      t.deepEqual(await ended, { imported: 0, updated: 1 })
      t.like(await world.stores.flows.find(number, first.id), { officialFlowId: externalId, jsonVersion: '7.1' })
      t.like(await world.stores.flows.find(number, second.id), { officialFlowId: null, jsonVersion: '' })
    },
  )
}
