/** The baseline: a bare Koa route that inserts all rows of a batch in one statement. A child process of bench.ts. */
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
  const { messages } = (await json(ctx.req)) as { messages: object[] }
  const rows = messages.map((message) => ({ id: randomUUID(), body: JSON.stringify(message) }))
  await pool.query(
    'insert into bare_messages (id, body) select id, body from json_to_recordset($1::json) as r (id text, body text)',
    [JSON.stringify(rows)],
  )
  ctx.status = 202
  ctx.body = { accepted: rows.length }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit())
