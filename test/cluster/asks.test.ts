import { randomUUID } from 'node:crypto'
import test from 'ava'
import { LocalAsks } from '../../src/cluster/asks-local.ts'
import { RedisAsks } from '../../src/cluster/asks-redis.ts'
import { openRedis, type RedisCluster } from '../../src/cluster/redis.ts'
import { succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import type { NodeId } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/process/clock.ts'
import { anyAsk, askSuite, jointAskSuite } from '../contracts/asks.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { TestWire } from '../helpers/test-wire.ts'
import { TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

askSuite(test, 'asks within a process', async () => new LocalAsks())

const SECRET = 'x'.repeat(32)

async function nodes(clock = new FakeClock()) {
  const wire = new TestWire()
  const [hereId, thereId] = [newId('node'), newId('node')]
  const join = (nodeId: NodeId, secret = SECRET) =>
    RedisAsks.open({ wire, prefix: 'p:', nodeId, secret, clock, log: silentLog, mostAsks: 20 })
  return { wire, clock, hereId, thereId, here: await join(hereId), there: await join(thereId), join }
}

/** Lets all sent messages arrive. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

// [nodes.nodes.1]
test('an ask cannot be read in transit, and one that is not sealed with the secret does not run', async (t) => {
  const { wire, here, there, thereId, join } = await nodes()
  let runs = 0
  there.serve(async () => succeed(++runs))
  await here.ask(thereId, anyAsk({ body: { to: '5511900000001' } }))
  t.true(
    wire.told.every(
      ([, text]) => !text.includes('5511900000001') && !Buffer.from(text, 'base64').includes('5511900000001'),
    ),
  )
  const stranger = await join(newId('node'), 'y'.repeat(32))
  void stranger.ask(thereId, anyAsk())
  await wire.publish(`p:node:${thereId}`, JSON.stringify({ kind: 'ask', from: thereId, ask: anyAsk() }))
  await settled()
  t.is(runs, 1)
})

// [nodes.asks.2]
test('a message opens in no other channel than its own', async (t) => {
  const { wire, here, there, hereId, thereId, join } = await nodes()
  const otherId = newId('node')
  const other = await join(otherId)
  let runs = 0
  for (const node of [there, other]) node.serve(async () => succeed(++runs))
  await here.ask(thereId, anyAsk())
  const [, text] = wire.told.find(([channel]) => channel === `p:node:${thereId}`) ?? []
  await wire.publish(`p:node:${otherId}`, text ?? '')
  await wire.publish(`p:node:${hereId}`, text ?? '')
  await settled()
  t.is(runs, 1)
})

test('messages between nodes that are replayed at any later time run nothing a second time (security case 9)', async (t) => {
  for (const laterMs of [1, 9_000, 19_999, 20_000, 29_999, 30_001, 35_000, 179_000, 600_000]) {
    const { wire, clock, here, there, thereId } = await nodes()
    let runs = 0
    there.serve(async () => succeed(++runs))
    await here.ask(thereId, anyAsk())
    await here.ask(thereId, anyAsk())
    const told = [...wire.told]
    t.is(runs, 2)
    clock.advance(laterMs)
    for (const message of told) await wire.publish(...message)
    await settled()
    t.is(runs, 2, `${laterMs} ms later`)
    t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: succeed(3) }, 'and what is new runs')
  }
})

test('an ask that arrives once nobody waits for it does not run', async (t) => {
  const { wire, clock, here, there, thereId } = await nodes()
  let runs = 0
  there.serve(async () => succeed(++runs))
  await here.ask(thereId, anyAsk())
  wire.isCut = true
  const asked = here.ask(thereId, anyAsk({ withinMs: 1_500 }))
  await settled()
  const late = wire.told.at(-1)
  clock.advance(1_500)
  t.deepEqual(await asked, { kind: 'lost' })
  wire.isCut = false
  await wire.publish(...(late ?? ['', '']))
  await settled()
  t.is(runs, 1)
})

// [nodes.asks.3]
test('an ask that is repeated while it runs, also after a refusal of its date, is answered once', async (t) => {
  const { wire, here, there, thereId } = await nodes()
  const done = Promise.withResolvers<void>()
  let runs = 0
  there.serve(async () => {
    runs++
    await done.promise
    return succeed('done')
  })
  const asked = here.ask(thereId, anyAsk())
  await settled()
  for (let round = 0; round < 4; round++) for (const message of wire.told.slice()) await wire.publish(...message)
  await settled()
  done.resolve()
  t.deepEqual(await asked, { kind: 'answered', outcome: succeed('done') })
  t.is(runs, 1)
})

test('asks still work between nodes whose clocks drifted apart, and with a process that took another one’s place', async (t) => {
  const [hereClock, thereClock] = [new FakeClock(), new FakeClock()]
  const wire = new TestWire()
  const [hereId, thereId] = [newId('node'), newId('node')]
  const join = (nodeId: NodeId, clock: FakeClock) =>
    RedisAsks.open({ wire, prefix: 'p:', nodeId, secret: SECRET, clock, log: silentLog })
  const here = await join(hereId, hereClock)
  const serve = (node: RedisAsks) => node.serve(async () => succeed('ran'))
  serve(await join(thereId, thereClock))
  for (const apart of [
    () => {},
    () => thereClock.advance(86_400_000),
    () => hereClock.advance(86_400_000),
    () => thereClock.advance(25_000),
    () => hereClock.advance(25_000),
  ]) {
    apart()
    t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: succeed('ran') })
  }
  serve(await join(thereId, new FakeClock()))
  t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: succeed('ran') })
})

test('a leaving node answers every earlier ask and gets no new one', async (t) => {
  const { here, there, thereId } = await nodes()
  const answered = Promise.withResolvers<void>()
  there.serve(async () => {
    await answered.promise
    return succeed('done')
  })
  const asked = here.ask(thereId, anyAsk())
  await settled()
  const lastMoment = here.ask(thereId, anyAsk())
  let isClosed = false
  const closing = there.close(1_000).then(() => {
    isClosed = true
  })
  await settled()
  t.false(isClosed)
  t.like(await here.ask(thereId, anyAsk()), { kind: 'absent' })
  answered.resolve()
  await closing
  for (const each of [asked, lastMoment]) t.deepEqual(await each, { kind: 'answered', outcome: succeed('done') })
})

test('a look gets a lost answer again, without a second run', async (t) => {
  const { wire, clock, here, there, thereId } = await nodes()
  let runs = 0
  there.serve(async () => {
    wire.isCut = true
    return succeed(++runs)
  })
  const asked = here.ask(thereId, anyAsk())
  await settled()
  wire.isCut = false
  clock.advance(1_000)
  t.deepEqual(await asked, { kind: 'answered', outcome: succeed(1) })
})

test('a look that came between the first date of an ask and its second does not leave it lost', async (t) => {
  const { wire, clock, hereId, here, there, thereId } = await nodes()
  there.serve(async () => succeed('ran'))
  // Both asks leave before this node knows the other node's clock. The other node refuses the second for its date, so
  // it is sent again.
  const asked = [here.ask(thereId, anyAsk()), here.ask(thereId, anyAsk())]
  wire.hold(`p:node:${hereId}`)
  await settled()
  // This node was slow: its clock query leaves before it reads the messages that wait for it.
  clock.advance(1_000)
  await settled()
  wire.release()
  for (const each of asked) t.deepEqual(await each, { kind: 'answered', outcome: succeed('ran') })
})

test('a node that goes while it runs an ask leaves it lost within seconds, not only when its time is over', async (t) => {
  const { wire, clock, here, there, thereId } = await nodes()
  there.serve(() => new Promise(() => {}))
  let asked: unknown = null
  void here.ask(thereId, anyAsk()).then((outcome) => {
    asked = outcome
  })
  await settled()
  wire.leave(`p:node:${thereId}`)
  clock.advance(1_000)
  await settled()
  t.is(asked, null, 'its connection may be back in a moment')
  clock.advance(1_000)
  await settled()
  t.deepEqual(asked, { kind: 'lost' })
})

test('a node that is there again under its name and knows nothing of an ask does not run it', async (t) => {
  const { clock, here, there, thereId, join } = await nodes()
  there.serve(() => new Promise(() => {}))
  const asked = here.ask(thereId, anyAsk())
  await settled()
  let runs = 0
  const again = await join(thereId)
  again.serve(async () => succeed(++runs))
  clock.advance(1_000)
  t.deepEqual(await asked, { kind: 'lost' })
  t.is(runs, 0)
})

test('a node that cannot be heard is told apart from one that is gone, and a doubt is looked into', async (t) => {
  const { wire, clock, here, there, thereId } = await nodes()
  there.serve(async () => succeed('x'))
  wire.mode = 'away'
  t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'away' })
  wire.mode = 'unsure'
  const asked = here.ask(thereId, anyAsk())
  await settled()
  wire.mode = 'up'
  clock.advance(1_000)
  t.deepEqual(await asked, { kind: 'lost' }, 'it may have been heard by whoever had the name before')
})

test('a node remembers a bounded number of asks, and forgets each when nobody waits for it', async (t) => {
  const { clock, here, there, thereId } = await nodes()
  there.serve(() => new Promise(() => {}))
  const asked = Array.from({ length: 20 }, () => here.ask(thereId, anyAsk({ withinMs: 5_000 })))
  await settled()
  t.like(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: { ok: false, error: { code: 'BUSY' } } })
  clock.advance(5_000)
  t.true((await Promise.all(asked)).every(({ kind }) => kind === 'lost'))
  clock.advance(10_000)
  there.serve(async () => succeed('room'))
  t.deepEqual(await here.ask(thereId, anyAsk()), { kind: 'answered', outcome: succeed('room') })
})

const url = TEST_REDIS_URL
if (url === null) {
  test.skip('asks keep their contract on Redis (TEST_REDIS_URL is not set)', () => {})
} else {
  const prefix = `test:${randomUUID()}:`
  const open: RedisCluster[] = []
  test.after.always(async () => {
    for (const cluster of open) await cluster.close()
  })

  async function makeAsks(nodeId: NodeId) {
    const cluster = await openRedis({ url: url ?? '', prefix, clock: systemClock, log: silentLog })
    open.push(cluster)
    // A busy machine may need longer to connect than a start waits.
    await until('Redis answers', () => cluster.isUp())
    return await cluster.joinAsks(nodeId, SECRET)
  }

  askSuite(test, 'asks on Redis', makeAsks)
  jointAskSuite(test, 'asks on Redis', makeAsks)
}

jointAskSuite(
  test,
  'asks on a wire',
  (() => {
    const wire = new TestWire()
    return (nodeId: NodeId) =>
      RedisAsks.open({ wire, prefix: '', nodeId, secret: SECRET, clock: systemClock, log: silentLog })
  })(),
)
