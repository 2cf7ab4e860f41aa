import test from 'ava'
import { readinessOf, type ReadinessParts } from '../../src/gateway/readiness.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

/** Lets promises settle. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const NODE = { nodeId: 'node_1', numbers: 2, liveCalls: 1, mediaHosts: [], engines: [] }
const never = new Promise<never>(() => {})

function parts(changes: Partial<ReadinessParts> = {}): ReadinessParts & { readonly clock: FakeClock } {
  return {
    database: { query: async () => [], isFull: false },
    freeBytes: async () => 1e12,
    media: { isAvailable: () => true },
    setAside: { count: () => 0 },
    cluster: { isUp: () => true },
    isDraining: () => false,
    node: () => NODE,
    ...changes,
    clock: new FakeClock(),
  }
}

// [nodes.readiness.1]
test('a node that has all it needs is ready', async (t) => {
  t.deepEqual(await readinessOf(parts()), {
    ok: true,
    isDegraded: false,
    checks: { database: 'ok', disk: 'ok', media: 'ok', redis: 'ok', node: 'ok', setAside: 'ok' },
    node: NODE,
  })
})

test('a node with something set aside serves, and says that it waits for somebody', async (t) => {
  t.like(await readinessOf(parts({ setAside: { count: () => 2 } })), {
    ok: true,
    isDegraded: true,
    checks: { setAside: '2 items wait for an operator: npm run set-aside -- list' },
  })
})

test('a database that is gone, or does not answer within 2 s, is told', async (t) => {
  const gone = await readinessOf(parts({ database: { query: () => Promise.reject(new Error('gone')), isFull: false } }))
  t.like(gone, { ok: false, checks: { database: 'unreachable', disk: 'ok' } })
  const hanging = parts({ database: { query: () => never, isFull: false } })
  const answer = readinessOf(hanging)
  await settled()
  hanging.clock.advance(2_000)
  t.like(await answer, { ok: false, checks: { database: 'no answer within 2 s', disk: 'ok' } })
})

test('a disk without room is told, as the data directory or the database says', async (t) => {
  t.like(await readinessOf(parts({ freeBytes: async () => 1_000_000 })), {
    ok: false,
    checks: { database: 'ok', disk: 'full: less than 64 MB are free for the data directory' },
  })
  t.like(await readinessOf(parts({ database: { query: async () => [], isFull: true } })), {
    ok: false,
    checks: { database: 'ok', disk: 'full: the database could not store something' },
  })
})

test('a disk that cannot be asked, or does not answer within 2 s, is told', async (t) => {
  const away = { ok: false, checks: { disk: 'the data directory does not answer' } } as const
  t.like(await readinessOf(parts({ freeBytes: () => Promise.reject(new Error('no such directory')) })), away)
  const hanging = parts({ freeBytes: () => never })
  const answer = readinessOf(hanging)
  await settled()
  hanging.clock.advance(2_000)
  t.like(await answer, away)
})

// [nodes.redis-away.3] [nodes.sigterm.1]
test('without Redis a node is ready, without a media host or while it drains it is not', async (t) => {
  t.like(await readinessOf(parts({ cluster: { isUp: () => false } })), { ok: true, checks: { redis: 'down' } })
  t.like(await readinessOf(parts({ media: { isAvailable: () => false } })), {
    ok: false,
    checks: { media: 'no media host is connected' },
  })
  t.like(await readinessOf(parts({ isDraining: () => true })), { ok: false, checks: { node: 'draining' } })
})
