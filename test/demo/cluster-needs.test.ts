import { execFileSync } from 'node:child_process'
import { createConnection } from 'node:net'
import { once } from 'node:events'
import test from 'ava'
import { clusterNeeds, Missing } from '../../tools/demo/cluster-needs.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

const NOWHERE = { database: 'postgres://ann:secret@127.0.0.1:1/x', redis: 'redis://127.0.0.1:1' }

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('where neither a database nor a Redis is there, nor one to be started, both are told, each in a line with the way out', async (t) => {
  const error = await t.throwsAsync(clusterNeeds({ DATABASE_URL: NOWHERE.database, PATH: '' }, NOWHERE.redis), {
    instanceOf: Missing,
  })
  const [database = '', redis = '', ...more] = error.message.split('\n')
  t.deepEqual(more, [])
  t.regex(
    database,
    /^ {2}PostgreSQL: 127\.0\.0\.1:1\/x cannot be used \(.*ECONNREFUSED.*\)\. Start it or correct DATABASE_URL\.$/,
  )
  t.regex(
    redis,
    /^ {2}Redis: none answers at .* and `redis-server` is not installed\. Install it \(.+\), or name one: REDIS_URL=redis:\/\/HOST:6379$/,
  )
})

test('a Redis that is named is not started in its place', async (t) => {
  const error = await t.throwsAsync(clusterNeeds({ DATABASE_URL: NOWHERE.database, REDIS_URL: NOWHERE.redis }), {
    instanceOf: Missing,
  })
  t.regex(error.message, /nothing answers at REDIS_URL 127\.0\.0\.1:1/)
  t.notRegex(error.message, /secret/)
})

if (TEST_DATABASE_URL === null || !isInstalled('redis-server')) {
  test.skip('a Redis of this machine is started where none answers (TEST_DATABASE_URL is not set, or there is no redis-server)', () => {})
} else {
  const databaseUrl = TEST_DATABASE_URL
  test('a Redis of this machine is started where none answers, and ends with the cluster', async (t) => {
    const needs = await clusterNeeds({ DATABASE_URL: databaseUrl, PATH: process.env['PATH'] }, NOWHERE.redis)
    const { hostname, port } = new URL(needs.redisUrl)
    const socket = createConnection({ host: hostname, port: Number(port) })
    socket.write('PING\r\n')
    t.is(String((await once(socket, 'data'))[0]), '+PONG\r\n')
    socket.destroy()
    await needs.stop()
    await t.throwsAsync(once(createConnection({ host: hostname, port: Number(port) }), 'connect'), {
      code: 'ECONNREFUSED',
    })
  })
}
