import test from 'ava'
import { RowLeases } from '../../src/cluster/lease-rows.ts'
import { RowPlacement } from '../../src/cluster/placement-rows.ts'
import type { NodeId } from '../../src/domain/ids.ts'
import { leaseTimesOf } from '../../src/domain/lease-times.ts'
import { systemClock } from '../../src/process/clock.ts'
import { placementSuite, type PlacementWorld } from '../contracts/placement.ts'
import { ownedNumber } from '../contracts/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { memoryLeases } from '../helpers/memory/leases.ts'
import { memoryPlacement } from '../helpers/memory/placement.ts'
import { memoryWorlds } from '../storage/memory-world.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

/** Lease times, in ms, that no test outlasts. */
const TIMES = leaseTimesOf(600_000)
const database = sharedDatabase(test, openTestDatabase)

async function emptied(): Promise<PlacementWorld> {
  await database().script('delete from channel_numbers; delete from nodes')
  return {
    world: worldsOver(database)(),
    node(name, boot = 'boot') {
      const nodeId: NodeId = `node_${name}`
      return {
        leases: new RowLeases(database(), nodeId, TIMES, boot),
        placement: new RowPlacement({ database: database(), nodeId, times: TIMES, boot }),
      }
    },
    async kill({ leases: { nodeId } }) {
      await database().query(`update nodes set expires_at = now() - interval '1 day' where node_id = $1`, [nodeId])
      await database().query(`update number_leases set expires_at = now() - interval '1 day' where node_id = $1`, [
        nodeId,
      ])
    },
  }
}

placementSuite(test, 'rows', emptied)

test.serial('rows: a number that was handed over but is no longer paired wants no owner', async (t) => {
  const { world, node } = await emptied()
  const one = node('one')
  await one.placement.join(true)
  const { fence } = await ownedNumber(world)
  await world.stores.numbers.saveConnection(fence, { credentials: 'secret' }, [])
  await world.leases().release(fence, true)
  t.true((await one.placement.look()).isWanted)
  await database().query('update channel_numbers set sealed_credentials = null where id = $1', [fence.numberId])
  t.false((await one.placement.look()).isWanted)
})

test.serial('rows: a look tells the earliest time at which another node can count as dead', async (t) => {
  const { node } = await emptied()
  const [one, two, dead] = [node('one'), node('two'), node('dead')]
  await one.placement.join(true)
  t.is((await one.placement.look()).deathInMs, null)
  for (const other of [two, dead]) await other.placement.join(true)
  await database().query(`update nodes set expires_at = now() - interval '1 day' where node_id = 'node_dead'`)
  const { deathInMs } = await one.placement.look()
  const soonestMs = TIMES.ttlMs + TIMES.graceMs
  t.true(deathInMs !== null && deathInMs <= soonestMs && deathInMs > soonestMs / 2, `${deathInMs}`)
})

/** Rows in memory, whose nodes end by their own time as in the tables, or when a test says so. */
for (const [name, times] of [
  ['memory', undefined],
  ['memory with times', { ...TIMES, nowMs: () => systemClock.monotonicMs() }],
] as const)
  placementSuite(test, name, async () => {
    const { rows, makeWorld } = memoryWorlds()
    return {
      world: makeWorld(),
      node(named, boot = 'boot') {
        const leases = memoryLeases(rows, `node_${named}`, times, boot)
        return { leases, placement: memoryPlacement(rows, leases, boot, times) }
      },
      async kill({ leases: { nodeId } }) {
        const { boot = 'boot' } = rows.nodes.get(nodeId) ?? {}
        rows.nodes.set(nodeId, times ? { boot, state: 'alive', untilMs: -Infinity } : { boot, state: 'dead' })
        for (const [numberId, lease] of rows.leases)
          if (lease.owner === nodeId) rows.leases.set(numberId, { ...lease, untilMs: -Infinity })
      },
    }
  })
