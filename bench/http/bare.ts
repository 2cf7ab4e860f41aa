/** The baseline: a bare Koa route with one bare query for the same row. A child process of bench/http/bench.ts. */
import Koa from 'koa'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE_URL'], max: 10 })
const app = new Koa()
app.use(async (ctx) => {
  const { rows } = await pool.query('select * from calls where id = $1', [ctx.path.split('/').at(-1)])
  ctx.body = rows[0]
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
process.on('disconnect', () => process.exit())
