import { randomBytes } from 'node:crypto'
import { RowLeases } from '../../src/cluster/lease-rows.ts'
import { newId, type NodeId } from '../../src/domain/ids.ts'
import { leaseTimesOf } from '../../src/domain/lease-times.ts'
import type { EventStore } from '../../src/ports/stores/event-store.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores } from '../../src/storage/stores.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { until } from '../helpers/until.ts'
import type { MakeLeases, MakeWorld, World } from './world.ts'

/** Lease times longer than a test may take on a busy machine. */
const LONG = leaseTimesOf(600_000)

/** Leases of nodes, by name, over one database. */
export function leasesOver(database: () => Database): MakeLeases {
  const nodes = new Map<string, NodeId>()
  return (nodeName, times) => {
    const nodeId = nodes.get(nodeName) ?? newId('node')
    nodes.set(nodeName, nodeId)
    return new RowLeases(database(), nodeId, { ...LONG, ...times })
  }
}

/**
 * An event store that waits until everything stored before is readable: readers stay behind the oldest open
 * transaction, and on a shared server other tests always have some open.
 */
function patientReader(database: Database, events: EventStore): EventStore {
  return {
    async list(scope, page) {
      const [stored] = await database.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
      await until('earlier transactions have ended', async () => {
        const [horizon] = await database.query<{ is_past: boolean }>(
          'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as is_past',
          [stored?.xid ?? null],
        )
        return horizon?.is_past === true
      })
      return events.list(scope, page)
    },
  }
}

/** Worlds over one database; each has its own clock and stores. */
export function worldsOver(
  database: () => Database,
  leases: MakeLeases = leasesOver(database),
  cipher: AesCipher = new AesCipher(randomBytes(32)),
): MakeWorld {
  return (startMs) => {
    const clock = new FakeClock(startMs)
    const stores = openStores({ database: database(), cipher, clock })
    const world: World = {
      clock,
      stores: { ...stores, events: patientReader(database(), stores.events) },
      leases: (nodeName = 'one') => leases(nodeName),
      async rawTable(table) {
        return JSON.stringify(await database().query(`select * from ${table}`))
      },
      async copyCredentials(from, to) {
        await database().query(
          'update channel_numbers set sealed_credentials = (select sealed_credentials from channel_numbers where id = $1) where id = $2',
          [from, to],
        )
      },
      async copyAutoSend(from, to) {
        await database().query(
          'update leads set sealed_auto_send = (select sealed_auto_send from leads where id = $1) where id = $2',
          [from, to],
        )
      },
      async setTenant(tenantId, fields) {
        await database().query(
          'update tenants set max_numbers = $2::integer, requests_per_minute = $3::integer where id = $1',
          [tenantId, fields.maxNumbers ?? null, fields.requestsPerMinute ?? null],
        )
      },
    }
    return world
  }
}
