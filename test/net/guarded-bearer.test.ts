import test from 'ava'
import { readBeginning } from '../../src/net/guarded-body.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

test('a bearer is shown to its own origin alone: not to another port, and not where that origin redirects to', async (t) => {
  const other = await startFileHost(t, (_, response) => void response.end('other'))
  const own = await startFileHost(t, ({ url }, response) => {
    if (url === '/away') response.writeHead(302, { location: `${other.origin}/landed` }).end()
    else response.end('own')
  })
  const guarded = createGuardedFetch({
    egressAllow: ['127.0.0.1', 'localhost'],
    clock: systemClock,
    connectMs: PATIENCE_MS,
    bearer: (origin) => (origin === own.origin ? 'secret' : null),
  })
  t.teardown(() => guarded.close())
  for (const url of [
    `${own.origin}/media`,
    `${own.origin}/away`,
    `${other.origin}/media`,
    `${own.origin.replace('127.0.0.1', 'localhost')}/media`,
  ]) {
    const fetched = await guarded.request({ url, redirects: 3, maxBytes: 1_000, totalMs: PATIENCE_MS })
    if (fetched.ok) await readBeginning(fetched.response.body, 1_000)
  }
  t.deepEqual(
    own.requests
      .filter(({ headers }) => headers.host?.startsWith('127.'))
      .map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/media', 'Bearer secret'],
      ['/away', 'Bearer secret'],
    ],
  )
  t.deepEqual(
    other.requests.map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/landed', undefined],
      ['/media', undefined],
    ],
  )
  t.deepEqual(
    own.requests
      .filter(({ headers }) => headers.host?.startsWith('localhost'))
      .map(({ headers }) => headers.authorization),
    [undefined],
    'another name is another origin',
  )
})
