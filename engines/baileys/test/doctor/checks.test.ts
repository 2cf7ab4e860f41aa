import { randomBytes } from 'node:crypto'
import test from 'ava'
import { readConfig } from '../../process/config.ts'
import { checkClock, checkNetwork, checkProxy, checkStore, checkToken } from '../../doctor/checks.ts'
import { linesOf } from '../../doctor/doctor.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'
import { openProxy } from '../helpers/open-proxy.ts'
import { networkFor } from '../network/started.ts'
import { initAuthCreds } from 'baileys'

// [engines.baileys.10] [engines.baileys-duties.9]
test('the check of the store passes when it opens, names the variable when the key is wrong, and names the holder when it is in use', async (t) => {
  const dataDir = temporaryFolder(t)
  const store = openStore(dataDir)
  await (await store.number('num_1')).saveSession({ sessionId: 's1', number: '491700', creds: initAuthCreds() })
  t.like(await checkStore({ dataDir, databaseUrl: null, key: null, leaseMs: 9_000 }), {
    outcome: 'warning',
    seen: `${dataDir}: a running engine holds it`,
  })
  await store.close()
  t.like(await checkStore({ dataDir, databaseUrl: null, key: Buffer.alloc(32, 7), leaseMs: 9_000 }), {
    outcome: 'ok',
    seen: `${dataDir}: 1 linked number`,
  })
  t.like(await checkStore({ dataDir, databaseUrl: null, key: randomBytes(32), leaseMs: 9_000 }), {
    outcome: 'failed',
    todo: 'set ENGINE_KEY to the key it was sealed with, or restore engine.key beside it',
  })
  t.like(await checkStore({ dataDir: `${dataDir}/engine.sqlite/none`, databaseUrl: null, key: null, leaseMs: 9_000 }), {
    outcome: 'failed',
  })
})

// [engines.baileys.11] [engines.baileys-duties.9]
test('the check of the network passes when it is reachable, and otherwise says what to do', async (t) => {
  const network = await networkFor(t)
  t.like(await checkNetwork(readConfig({ ENGINE_SOCKET_URL: network.socketUrl }), null), { outcome: 'ok' })
  network.faults.throttled = true
  t.like(await checkNetwork(readConfig({ ENGINE_SOCKET_URL: network.socketUrl }), null), {
    outcome: 'failed',
    todo: 'wait a quarter of an hour: this address is throttled',
  })
  t.like(await checkNetwork(readConfig({ ENGINE_SOCKET_URL: 'ws://127.0.0.1:9/ws/chat' }), null), {
    outcome: 'failed',
    seen: '127.0.0.1:9: ECONNREFUSED',
  })
})

// [engines.baileys-duties.9]
test("a clock is compared with the network's", async (t) => {
  const { url } = await openProxy(t)
  const config = readConfig({ ENGINE_SOCKET_URL: url.replace('http:', 'ws:') })
  t.like(await checkClock(config, null, () => Date.now()), { outcome: 'ok' })
  t.like(await checkClock(config, null, () => Date.now() - 3_600_000), {
    outcome: 'failed',
    todo: 'set the clock: turn on NTP',
  })
  t.like(await checkClock(readConfig({ ENGINE_SOCKET_URL: 'ws://127.0.0.1:9/' }), null, () => Date.now()), {
    outcome: 'warning',
  })
})

// [engines.baileys.12] [engines.baileys-duties.9]
test('the check of the proxy passes when it connects; a refusal names the proxy without its password', async (t) => {
  const network = await networkFor(t)
  const { url } = await openProxy(t, 'user:secret')
  const withProxy = (proxy: string) =>
    checkProxy(readConfig({ ENGINE_SOCKET_URL: network.socketUrl, ENGINE_PROXY: proxy }))
  t.like(await withProxy(url.replace('://', '://user:secret@')), { outcome: 'ok' })
  const refused = await withProxy(url.replace('://', '://user:wrong@'))
  t.is(refused.outcome, 'failed')
  t.true(refused.seen.endsWith('the proxy refuses with 407'))
  t.false(JSON.stringify(refused).includes('wrong'))
})

test('each finding is a line, with what to do below it', (t) => {
  t.is(checkToken({ token: null, host: '127.0.0.1' }).outcome, 'warning')
  t.deepEqual(
    linesOf([
      { name: 'store', outcome: 'ok', seen: 'fine', todo: 'nothing' },
      { name: 'a', outcome: 'failed', seen: 'bad', todo: 'mend it' },
    ]),
    ['ok       store  fine', 'FAILED   a      bad', '                -> mend it'],
  )
})
