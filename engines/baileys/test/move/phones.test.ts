import { registerCompletionHandler, type ExecutionContext } from 'ava'
import { connectBridge, type BridgeClient, type ClientEvent } from '../helpers/bridge-client.ts'
import { startEngineProcess, type EngineProcess } from '../helpers/engine-process.ts'
import { linkNumber } from '../helpers/linked-number.ts'
import { KEY, temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'
import type { Network } from '../network/network.ts'
import { networkFor } from '../network/started.ts'
import { startMove } from './move-process.ts'

registerCompletionHandler(() => process.exit())

const PEER = '5511888886001'
const NUMBER = '5511999996001'

const ACROSS = ['--from', 'sqlite', '--to', 'postgres']
const BACK = ['--from', 'postgres', '--to', 'sqlite']

async function world(t: ExecutionContext, server: string) {
  const [network, url] = await Promise.all([networkFor(t), temporaryDatabase(t, server)])
  const folder = temporaryFolder(t)
  const key = { ENGINE_KEY: KEY.toString('base64') }
  const onPostgres = { ENGINE_DATABASE_URL: url, ...key }
  return {
    network,
    start: (env: Record<string, string> = {}) => startEngineProcess(t, network, folder, env),
    key,
    onPostgres,
    async move(words: readonly string[]): Promise<string> {
      const moving = startMove(t, words, { ENGINE_DATA_DIR: folder, ...onPostgres })
      t.is(await moving.gone, 0, moving.said())
      return moving.said()
    },
  }
}

const send = (client: BridgeClient, messageId: string) =>
  client.ask('message.send', { messageId, to: PEER, content: { type: 'text', text: messageId } })

/** Lets an event come that is not acknowledged, and stops the engine with a message on its way. */
async function leaveOff(network: Network, client: BridgeClient, engine: EngineProcess, name: string) {
  const last = client.events.findLast(({ seq }) => seq !== undefined)
  client.ack(last?.seq ?? 0)
  await network.phone(PEER).text(NUMBER, `unacknowledged ${name}`)
  const untold = await client.find(({ content }) => content?.text === `unacknowledged ${name}`)
  await engine.stop()
  await network.phone(PEER).text(NUMBER, `meanwhile ${name}`)
  return untold
}

/** The gateway comes back to another engine: nothing is scanned, lost or doubled. */
async function goOn(
  t: ExecutionContext,
  network: Network,
  engine: EngineProcess,
  { credentials, untold, name }: { credentials: unknown; untold: ClientEvent; name: string },
): Promise<BridgeClient> {
  const client = await connectBridge(t, engine.port, 'num_1')
  await client.start({ number: NUMBER, credentials })
  const again = await client.find(({ content }) => content?.text === untold['content'].text)
  t.is(again.seq, untold.seq)
  await client.find(({ content }) => content?.text === `meanwhile ${name}`)
  await client.state('OPEN')
  await network.phone(PEER).text(NUMBER, `after ${name}`)
  await client.find(({ content }) => content?.text === `after ${name}`)
  t.false(client.events.some(({ ev }) => ev === 'session.qr'))
  return client
}

// [engine-fleet.store.5] [engine-fleet.store.8]
testWithPostgres(
  'a phone does not notice that its number moves to PostgreSQL and back: no scan, the same events, nothing sent twice, and what comes is read',
  async (t, server) => {
    const { network, start, move, key, onPostgres } = await world(t, server)
    const first = await start()
    const { client, credentials } = await linkNumber(t, network, first.port, 'num_1', NUMBER)
    const sent = await send(client, 'm1')
    const untold = await leaveOff(network, client, first, 'first')
    t.regex(await move(ACROSS), /1 of 1 numbers.*\nstart the engine with ENGINE_DATABASE_URL/)

    const second = await start(onPostgres)
    const there = await goOn(t, network, second, { credentials, untold, name: 'first' })
    t.deepEqual((await send(there, 'm1')).result, sent.result)
    const sentThere = await send(there, 'm2')
    const untoldThere = await leaveOff(network, there, second, 'second')
    t.regex(await move(BACK), /1 of 1 numbers.*\nstart the engine without ENGINE_DATABASE_URL, with this ENGINE_KEY/)

    const third = await start(key)
    const home = await goOn(t, network, third, { credentials, untold: untoldThere, name: 'second' })
    t.deepEqual((await send(home, 'm2')).result, sentThere.result)
    t.true((await send(home, 'm3')).ok)
    await network.phone(PEER).find(({ message }) => JSON.stringify(message).includes('m3'))
    const texts = network.phone(PEER).received.map(({ message }) => JSON.stringify(message))
    for (const messageId of ['m1', 'm2', 'm3'])
      t.is(texts.filter((text) => text.includes(`"${messageId}"`)).length, 1, messageId)
    t.is(network.devices(NUMBER).length, 1)
  },
)
