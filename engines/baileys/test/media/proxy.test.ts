import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import test from 'ava'
import { get } from '../../media/request.ts'
import { secureProxyAgent } from '../../socket/proxy-agent.ts'
import { openProxy } from '../helpers/open-proxy.ts'
import { networkFor } from '../network/started.ts'

test('media are fetched through the proxy, encrypted to the other end', async (t) => {
  const network = await networkFor(t)
  const { url, ways } = await openProxy(t)
  const agent = secureProxyAgent(url)
  const bytes = randomBytes(50_000)
  const stored = network.media.store.put(bytes)
  const body = await get({ url: new URL(stored.url), agent, signal: new AbortController().signal })
  t.deepEqual(await buffer(body), bytes)
  t.deepEqual(ways, [network.media.host])
})
