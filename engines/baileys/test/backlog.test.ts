import test, { registerCompletionHandler } from 'ava'
import { startEngineProcess } from './helpers/engine-process.ts'
import { heldPath } from './helpers/held-path.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { until } from '../../../test/helpers/until.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const LIMIT = 40
const TEXTS = 150

test('a gateway that acknowledges nothing gets so many events and no more; the network keeps the rest, and all of it comes once and in order', async (t) => {
  t.timeout(240_000)
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t), { ENGINE_BACKLOG: String(LIMIT) })
  const number = '5511999993001'
  const { client } = await linkNumber(t, network, engine.port, 'num_full', number)
  const peer = network.phone('5511888883001')
  const texts = Array.from({ length: TEXTS }, (_, index) => `text ${index}`)
  for (const text of texts) await peer.text(number, text)
  const told = (): string[] =>
    client.events.filter(({ ev }) => ev === 'message.received').map(({ content }) => content.text)
  const [device] = network.devices(number)
  await until(
    'the engine left the network',
    () => device !== undefined && device.connection === undefined && client.events.at(-1)?.['state'] === 'CONNECTING',
  )
  t.true(device!.mailbox.waiting().length > 0, 'the network keeps what came meanwhile')
  const logins = network.statistics.logins
  const held = told()
  t.true(held.length < TEXTS / 2, `${held.length} told`)
  // The answer arrives only after the engine took in everything that came before the question.
  await client.ask('call.record')
  t.is(network.statistics.logins, logins, 'it stays away')
  client.ackAll()
  await client.find(({ content }) => content?.text === texts.at(-1), 120_000)
  t.deepEqual(told(), texts)
  await until('the network keeps nothing', () => device!.mailbox.waiting().length === 0)
})

test('a socket that left to the network is gone before the next one of its number logs in, however slow its way is', async (t) => {
  t.timeout(240_000)
  const network = await networkFor(t)
  const path = await heldPath(t, network)
  const engine = await startEngineProcess(t, path.network, temporaryFolder(t), { ENGINE_BACKLOG: String(LIMIT) })
  const number = '5511999993002'
  const { client } = await linkNumber(t, network, engine.port, 'num_again', number)
  const peer = network.phone('5511888883002')
  const { logins } = network.sockets.get(number)!
  path.hold()
  const left = client.find(({ ev, state, seq }) => ev === 'session.state' && state === 'CONNECTING' && seq > LIMIT)
  for (let index = 0; index < TEXTS; index++) await peer.text(number, `text ${index}`)
  await left
  // There is room at once, while the socket is still about to close.
  client.ackAll()
  await until('the engine is back', () => (network.sockets.get(number)?.logins ?? 0) > logins)
  t.is(network.sockets.get(number)?.most, 1)
})
