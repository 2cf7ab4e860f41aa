import pg from 'pg'
import { until } from './until.ts'

const url = process.env['TEST_DATABASE_URL']
const server = url ? new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true }) : null

/**
 * Waits until `/v1/events` shows whatever is stored by now. Events are shown once every transaction of the server that began before them is over, those of
 * other databases included (`src/storage/events/store.ts`): the tests of a run share one server, so that an event may come a moment after its row. Not to be
 * asked for while a transaction is held open on purpose. The embedded database has one transaction at a time: nothing is waited for.
 */
export async function eventsShown(): Promise<void> {
  if (!server) return
  const { rows: [now] } = await server.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  await until('older transactions of the server are over', async () => {
    const { rows: [later] } = await server.query<{ over: boolean }>('select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as over', [now?.next])
    return later?.over
  })
}
