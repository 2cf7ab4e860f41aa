/**
 * Compares an authenticated `GET /v1/calls/{id}` on the real gateway with a bare Koa route with one bare query on the
 * same database, in turns in the same run. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/http/bench.ts [seconds a turn]
 */
import { load, report, type Turn } from '../load.ts'
import { insertCall } from '../stored-call.ts'
import { install, postJson, startServer, stopServer } from '../programs.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const TURNS = 3

const { gateway, tenantKey, databaseUrl, close } = await install('postgres')
const bare = await startServer('http/bare.ts', { BARE_DATABASE_URL: databaseUrl ?? '' })
try {
  const { apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers`,
    { name: 'Bench', number: '5511988887777' },
    { 'x-api-key': tenantKey },
  )
  const ask = {
    path: `/v1/calls/${await insertCall(databaseUrl ?? '')}`,
    headers: { 'x-api-key': apiKey.key as string },
  }
  await load(bare, ask, SECONDS)
  await load(gateway, ask, SECONDS)
  const ours: Turn[] = []
  const theirs: Turn[] = []
  for (let i = 0; i < TURNS; i++) {
    theirs.push(await load(bare, ask, SECONDS))
    ours.push(await load(gateway, ask, SECONDS))
  }
  report('GET /v1/calls/{id}', ours, theirs, '0.60')
} finally {
  await stopServer(bare)
  await close()
}
