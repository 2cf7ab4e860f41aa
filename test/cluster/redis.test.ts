import { randomUUID } from 'node:crypto'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import { openRedis, type RedisCluster, type RedisOptions } from '../../src/cluster/redis.ts'
import { systemClock } from '../../src/process/clock.ts'
import { broadcastSuite } from '../contracts/broadcast.ts'
import { rateLimiterSuite } from '../contracts/rate-limiter.ts'
import { TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

/** A port without a listener: it was free a moment ago and is closed now. */
async function deadPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

// [nodes.redis-away.2] [configuration.variables.6]
test('without a Redis the node limits by itself, hears itself, and starts all the same', async (t) => {
  const cluster = await openRedis({
    url: `redis://127.0.0.1:${await deadPort()}`,
    clock: new FakeClock(),
    log: silentLog,
  })
  t.teardown(() => cluster.close())
  t.false(cluster.isUp())
  t.like(await cluster.rateLimiter.take('key', 1), { isAllowed: true })
  t.like(await cluster.rateLimiter.take('key', 1), { isAllowed: false, retryAfterSeconds: 60 })
  t.like(await cluster.rateLimiter.peek('key', 1), { isAllowed: false })
  const heard: string[] = []
  cluster.broadcast.subscribe('topic', (text) => heard.push(text))
  await cluster.broadcast.publish('topic', 'x')
  t.deepEqual(heard, ['x'])
})

const url = TEST_REDIS_URL
if (url === null) {
  test.skip('limits and broadcast keep their contract on Redis (TEST_REDIS_URL is not set)', () => {})
} else {
  const prefix = `test:${randomUUID()}:`
  const clusters: RedisCluster[] = []
  test.before(async () => {
    // A machine whose Redis answers late must not make these nodes limit by themselves.
    const patient = { url, prefix, clock: systemClock, log: silentLog, commandTimeoutMs: PATIENCE_MS }
    for (let i = 0; i < 2; i++) clusters.push(await openedRedis(patient))
  })
  test.after.always(async () => {
    for (const cluster of clusters) await cluster.close()
  })
  const node = (index: number): RedisCluster => {
    const cluster = clusters[index]
    if (!cluster) throw new Error('the nodes are not open')
    return cluster
  }

  rateLimiterSuite(test, 'Redis limits', () => node(0).rateLimiter)
  broadcastSuite(test, 'Redis broadcast', () => [node(0).broadcast, node(1).broadcast])

  // [rest.rate-limits.1] [configuration.variables.6]
  test('two nodes share one bucket', async (t) => {
    const bucket = randomUUID()
    const decisions = await Promise.all(Array.from({ length: 20 }, (_, i) => node(i % 2).rateLimiter.take(bucket, 8)))
    t.is(decisions.filter(({ isAllowed }) => isAllowed).length, 8)
  })

  // [nodes.redis-away.2]
  test('a Redis that stops answering does not block a request, and is used again when it answers', async (t) => {
    const proxy = await openProxy(new URL(url))
    const clock = new FakeClock()
    const cluster = await openedRedis({ url: `redis://127.0.0.1:${proxy.port}`, prefix, clock, log: silentLog })
    t.teardown(async () => {
      await cluster.close()
      proxy.close()
    })
    const bucket = await until('Redis answers in time', async () => {
      clock.advance(1_000)
      const one = randomUUID()
      await cluster.rateLimiter.take(one, 2)
      return (await node(0).rateLimiter.peek(one, 2)).remaining === 1 ? one : null
    })
    proxy.freeze(true)
    t.like(await cluster.rateLimiter.take(bucket, 2), { isAllowed: true, remaining: 1 }, 'its own bucket is full')
    proxy.freeze(false)
    t.like(await cluster.rateLimiter.peek(bucket, 2), { remaining: 1 }, 'still its own bucket')
    await until('the shared bucket is used again', async () => {
      clock.advance(1_000)
      return (await cluster.rateLimiter.take(bucket, 2)).remaining === 0
    })
    t.like(await node(0).rateLimiter.peek(bucket, 2), { isAllowed: false })
  })

  test('a broadcast while Redis goes away reaches this node, is logged, and fails no caller', async (t) => {
    const proxy = await openProxy(new URL(url))
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (fields: object, text: string) => void warned.push({ ...fields, text }) }
    const cluster = await openedRedis({ url: `redis://127.0.0.1:${proxy.port}`, prefix, clock: systemClock, log })
    t.teardown(() => cluster.close())
    const heard: string[] = []
    cluster.broadcast.subscribe('topic', (text) => heard.push(text))
    proxy.freeze(true)
    const told = cluster.broadcast.publish('topic', 'x')
    proxy.close()
    await t.notThrowsAsync(told)
    t.deepEqual(heard, ['x'])
    t.true(
      warned.some((line) =>
        isDeepStrictEqual(line, { topic: 'topic', text: 'broadcast did not reach the other nodes' }),
      ),
    )
  })
}

/** Opens a Redis that is there. */
async function openedRedis(options: RedisOptions): Promise<RedisCluster> {
  const cluster = await openRedis(options)
  await until('Redis is reached', () => cluster.isUp())
  return cluster
}

/** A TCP proxy that can hold back the server's answers. */
async function openProxy(target: URL): Promise<{ port: number; freeze(isFrozen: boolean): void; close(): void }> {
  const sockets: Socket[] = []
  const upstreams: Socket[] = []
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port || 6379), target.hostname)
    sockets.push(client, upstream)
    upstreams.push(upstream)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    freeze: (isFrozen) => upstreams.forEach((socket) => (isFrozen ? socket.pause() : socket.resume())),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
