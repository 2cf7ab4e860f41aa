import type { IncomingMessage, ServerResponse } from 'node:http'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { anyEngineFetch } from '../../src/gateway/any-engine-fetch.ts'
import { bearerOf } from '../../src/gateway/operator-hosts.ts'
import { readBeginning } from '../../src/net/guarded-body.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { freePort } from '../helpers/free-port.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

const PATH = '/media/token?a=1'

/** Engines that answer, behind the fetch of a gateway that knows those of `known`. */
async function world(
  t: ExecutionContext,
  answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[],
  known: (origins: readonly string[]) => readonly string[] = (origins) => origins,
) {
  const hosts = await Promise.all(answers.map((answer) => startFileHost(t, answer)))
  const urls = known(hosts.map(({ origin }) => origin)).map((origin) => origin.replace('http', 'ws'))
  const guarded = createGuardedFetch({
    egressAllow: ['127.0.0.1'],
    clock: systemClock,
    connectMs: PATIENCE_MS,
    bearer: bearerOf(() => urls, 'secret'),
  })
  t.teardown(() => guarded.close())
  const fetch = anyEngineFetch(guarded, () => urls)
  return {
    hosts,
    async get(origin: string) {
      const outcome = await fetch.request({ url: `${origin}${PATH}`, maxBytes: 1_000, totalMs: PATIENCE_MS })
      if (!outcome.ok) return outcome.failure.kind
      const { bytes } = await readBeginning(outcome.response.body, 1_000)
      return `${outcome.response.status} ${Buffer.from(bytes).toString()}`
    },
  }
}

const gone = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`
const has = (_: IncomingMessage, response: ServerResponse): void => void response.end('the file')
const hasNot = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(502).end()

// [engine-fleet.register.11]
test('media of an engine that is gone are fetched from another one, at the same path and with the bearer', async (t) => {
  const { hosts, get } = await world(t, [hasNot, has])
  t.is(await get(await gone()), '200 the file')
  for (const { requests } of hosts)
    t.deepEqual(
      requests.map(({ url, headers }) => [url, headers.authorization]),
      [[PATH, 'Bearer secret']],
    )
})

test('an engine that left the register and asks for the bearer is shown none; another one is asked instead', async (t) => {
  const refuses = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(401).end()
  const { hosts, get } = await world(t, [refuses, has], (origins) => origins.slice(1))
  t.is(await get(hosts[0]?.origin ?? ''), '200 the file')
  t.is(hosts[0]?.requests[0]?.headers.authorization, undefined)
})

test('where no engine has the file, the failure of its own address is told', async (t) => {
  const { get } = await world(t, [hasNot, hasNot])
  t.is(await get(await gone()), 'connect')
})

test('an engine that answers is believed: nobody else is asked', async (t) => {
  const { hosts, get } = await world(t, [hasNot, has])
  t.is(await get(hosts[0]?.origin ?? ''), '502 ')
  t.is(hosts[1]?.requests.length, 0)
})
