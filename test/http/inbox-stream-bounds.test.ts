import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import type { EmbedSession } from '../../src/domain/embed-session.ts'
import { RefusalError } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { InboxStreams } from '../../src/http/routes/inbox/stream.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { noMetrics } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'

const BOUNDS = { mostOfSession: 5, mostOfTenant: 2, most: 3, mostUnsentOfTenant: 8_000_000, mostUnsent: 8_000_000 }

function sessionOf(tenantId = newId('ten')): EmbedSession {
  return {
    id: newId('emb'),
    tenantId,
    surface: 'chat',
    numberIds: [newId('num')],
    allowedOrigins: ['https://crm.example'],
    branding: null,
    canStart: false,
    ttlSeconds: 900,
    createdAt: new Date(0),
    lastUsedAt: null,
    expiresAt: new Date(900_000),
    maxExpiresAt: new Date(43_200_000),
  }
}

/** Streams over a feed that reports nothing, and the values of their gauge. */
function opened() {
  const shown: number[] = []
  const streams = new InboxStreams(
    {
      clock: new FakeClock(),
      metrics: { ...noMetrics, gauge: () => ({ set: (value) => void shown.push(value) }) },
      embedEndings: { watch: () => () => {}, tell: async () => {} },
      inboxFeed: {
        run: '000001',
        join: async () => ({ order: 1, missed: null, unread: new Map(), leave() {} }),
        wake() {},
      },
    },
    BOUNDS,
  )
  const refused = async (session: EmbedSession) => {
    const error = await streams.open(session, '').then(
      () => null,
      (thrown: unknown) => thrown,
    )
    return error instanceof RefusalError ? [error.refusal.code, error.refusal.retryAfterSeconds] : null
  }
  return { streams, shown, refused }
}

test('streams of a tenant are bounded, and those of a node, whatever sessions they are of; the gauge says how many there are', async (t) => {
  const { streams, shown, refused } = opened()
  const acme = newId('ten')
  const take = await streams.open(sessionOf(acme), '')
  const server = createServer((_request, response) => take(response)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const leaving = new AbortController()
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: leaving.signal })
  await streams.open(sessionOf(acme), '')
  t.deepEqual(await refused(sessionOf(acme)), ['RATE_LIMITED', 3])
  await streams.open(sessionOf(), '')
  t.deepEqual(await refused(sessionOf()), ['BUSY', 3])
  t.is(shown.at(-1), 3)
  leaving.abort()
  await until('the place of the reader that left is free', () => shown.at(-1) === 2)
  t.is(await refused(sessionOf(acme)), null)
})
