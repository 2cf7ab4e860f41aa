import type { Pool } from 'pg'
import { until } from './until.ts'

const url = process.env['TEST_DATABASE_URL']
let server: Promise<Pool> | null = null

async function openServer(connectionString: string): Promise<Pool> {
  const { default: pg } = await import('pg')
  return new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true })
}

/**
 * Waits until `/v1/events` shows everything that is stored by now. An event is shown only after every transaction of
 * the server that began before it has ended, including those of other databases (`src/storage/events/store.ts`). The
 * tests of a run share one server, so an event may appear a moment after its row. Do not call this while a transaction
 * is held open on purpose. The embedded database has one transaction at a time, so there is nothing to wait for.
 */
export async function eventsShown(): Promise<void> {
  if (!url) return
  server ??= openServer(url)
  const pool = await server
  const {
    rows: [now],
  } = await pool.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  await until('older transactions of the server are over', async () => {
    const {
      rows: [later],
    } = await pool.query<{ over: boolean }>('select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as over', [
      now?.next,
    ])
    return later?.over
  })
}
