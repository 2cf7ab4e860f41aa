import test, { registerCompletionHandler } from 'ava'
import { connectBridge } from '../helpers/bridge-client.ts'
import { startEngineProcess } from '../helpers/engine-process.ts'
import { temporaryFolder } from '../helpers/open-store.ts'
import { networkFor } from '../network/started.ts'

registerCompletionHandler(() => process.exit())

test('a socket refused with HTTP 429 is a failure that is tried again, not a wait for ever', async (t) => {
  const network = await networkFor(t)
  network.faults.throttled = true
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const gateway = await connectBridge(t, engine.port, 'num_1')
  await gateway.start({ number: '5511999990001', credentials: null })
  await network.until(() => network.statistics.refusedSockets > 0 || undefined, 'a refused socket')
  network.faults.throttled = false
  t.truthy((await gateway.find(({ ev }) => ev === 'session.qr')).qr)
  t.is(await engine.stop(), 0)
})
