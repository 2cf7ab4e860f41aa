/**
 * The baseline: a bare Koa route with one bare query for the rows of a page. A child process of
 * bench/templates/bench.ts.
 */
import Koa from 'koa'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE_URL'], max: 10 })
const app = new Koa()
app.use(async (ctx) => {
  const { rows } = await pool.query(
    `select id, name, category, language, source, official_status, official_language, sendable, variables, body, examples, external_id, upstream_status,
    status_reason, status_description, quality, requested_category, correct_category, unsupported, submitted_at, created_at, updated_at
    from templates where account_id = $1 order by created_at desc, id desc limit 100`,
    [ctx.path.split('/').at(-1)],
  )
  ctx.body = { templates: rows }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit())
