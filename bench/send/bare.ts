/** The baseline: a bare Koa route that reads JSON and runs one bare insert. A child process of bench/send/bench.ts. */
import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import Koa from 'koa'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE_URL'], max: 10 })
await pool.query(
  'create table if not exists bare_messages (id text primary key, body text not null, at timestamptz not null default now())',
)
const app = new Koa()
app.use(async (ctx) => {
  const body = await json(ctx.req)
  const id = randomUUID()
  await pool.query('insert into bare_messages (id, body) values ($1, $2)', [id, JSON.stringify(body)])
  ctx.status = 202
  ctx.body = { id, status: 'QUEUED' }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit())
