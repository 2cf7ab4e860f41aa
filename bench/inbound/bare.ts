/**
 * The baseline: a bare Koa route that reads the body and runs one bare insert. A child process of
 * bench/inbound/bench.ts.
 */
import { buffer } from 'node:stream/consumers'
import Koa from 'koa'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE_URL'], max: 10 })
await pool.query(
  'create table if not exists bare_posts (position bigint generated always as identity primary key, body text not null, at timestamptz not null default now())',
)
const app = new Koa()
app.use(async (ctx) => {
  const body = await buffer(ctx.req)
  await pool.query('insert into bare_posts (body) values ($1)', [body.toString()])
  ctx.body = { stored: 1 }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit())
