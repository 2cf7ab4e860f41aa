import test from 'ava'
import { until } from '../../../test/helpers/until.ts'
import { link, sharedScope, type Linked } from './helpers/linked.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'

const { scope, end } = sharedScope()
let network: Network
let ana: Linked

test.before('a number is linked', async () => {
  network = await networkFor(scope)
  const engine = await startEngineProcess(scope, network, temporaryFolder(scope))
  ana = await link(scope, network, engine.port, '5511900000004')
})

test.after.always('all is closed', end)

// [engines.bridge.14]
test('a person who writes is told while the number is online, once for each thing they begin to do', async (t) => {
  const [device] = network.devices(ana.number)
  const bia = network.phone('5511900000401')
  // The message tells the engine the account's name. The library sends no presence without a name.
  await ana.told('message.sent_elsewhere', await ana.phone.text('5511900000402', 'so they call me'))
  bia.types(ana.number, 'composing')
  await ana.client.ask('settings.set', { settings: { alwaysOnline: true } })
  await until('the number is online', () => device?.presence === 'available')
  for (const state of ['composing', 'composing', 'recording', 'paused', 'paused'] as const) bia.types(ana.number, state)
  await ana.told('message.received', await bia.text(ana.number, 'hello'))
  t.deepEqual(
    ana.client.events.filter(({ ev }) => ev === 'peer.typing') as object[],
    ['typing', 'recording', 'paused'].map((state) => ({ ev: 'peer.typing', peer: bia.number, state })),
  )
})
