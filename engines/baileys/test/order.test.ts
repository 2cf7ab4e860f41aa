import test, { registerCompletionHandler } from 'ava'
import { until } from '../../../test/helpers/until.ts'
import { connectBridge } from './helpers/bridge-client.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

/** Messages. The library needs longer to read so many than a person needs to write the next one. */
const BACKLOG = 200
const LIVE = 20

test('a person who writes on while the engine reads what came in its absence is told in the order of writing', async (t) => {
  t.timeout(240_000)
  const network = await networkFor(t)
  const folder = temporaryFolder(t)
  const engine = await startEngineProcess(t, network, folder)
  const number = '5511999994001'
  const { client, credentials } = await linkNumber(t, network, engine.port, 'num_order', number)
  client.ackAll()
  const peer = network.phone('5511888884001')
  await peer.text(number, 'before')
  await client.find(({ content }) => content?.text === 'before')
  await engine.kill()
  const texts = Array.from({ length: BACKLOG + LIVE }, (_, index) => `text ${index}`)
  for (const text of texts.slice(0, BACKLOG)) await peer.text(number, text)

  const { logins } = network.statistics
  const again = await startEngineProcess(t, network, folder)
  const next = await connectBridge(t, again.port, 'num_order')
  next.ackAll()
  await next.start({ number, credentials })
  await until('the backlog is on its way', () => network.statistics.logins > logins)
  for (const text of texts.slice(BACKLOG)) await peer.text(number, text)
  const told = (): string[] =>
    next.events
      .filter(({ ev }) => ev === 'message.received')
      .map(({ content }) => content.text)
      .filter((text: string) => text !== 'before')
  await until('all are told', () => told().length >= texts.length)
  t.deepEqual(told(), texts)
})
