import { registerCompletionHandler, type ExecutionContext } from 'ava'
import { Client } from 'pg'
import { until } from '../../../test/helpers/until.ts'
import { connectBridge, connectToAny } from './helpers/bridge-client.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { KEY, temporaryFolder } from './helpers/open-store.ts'
import { runOn, temporaryDatabase, testWithPostgres } from './helpers/test-database.ts'
import type { Network } from './network/network.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const PEER = '5511888887001'

/** An offline network, and engines that share a database, each on a machine of its own. */
async function world(t: ExecutionContext, server: string) {
  const [network, url] = await Promise.all([networkFor(t), temporaryDatabase(t, server)])
  const env = { ENGINE_DATABASE_URL: url, ENGINE_KEY: KEY.toString('base64'), LEASE_TTL_MS: '3000' }
  return { network, url, start: () => startEngineProcess(t, network, temporaryFolder(t), env) }
}

/** Links a number whose gateway acknowledges all, and waits until the network keeps nothing for it. */
async function linkedAtRest(t: ExecutionContext, network: Network, port: number, id: string, number: string) {
  const { client, credentials } = await linkNumber(t, network, port, id, number)
  client.ackAll()
  const [device] = network.devices(number)
  await device?.mailbox.whenGone()
  return { client, credentials, device }
}

/** Holds a table, so that no commit that writes to it is answered. */
async function holdTable(t: ExecutionContext, url: string, table: string): Promise<{ release(): Promise<void> }> {
  const client = new Client(url)
  await client.connect()
  await client.query('begin')
  await client.query(`lock table engine.${table} in exclusive mode`)
  const release = () => client.end()
  t.teardown(() => release().catch(() => {}))
  return { release }
}

const waitsForLock = async (url: string): Promise<boolean> =>
  (await runOn(url, "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .length > 0

/** Ends the engine's connections, as a server that goes does. */
const cut = (url: string) =>
  runOn(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'engine'",
  )

// [engine-fleet.store.1]
testWithPostgres(
  'a number whose engine was killed goes on with another one on the same database: it is not scanned again, and what came meanwhile is told',
  async (t, server) => {
    const { network, start } = await world(t, server)
    const first = await start()
    const number = '5511999997001'
    const { client, credentials } = await linkNumber(t, network, first.port, 'num_1', number)
    client.ackAll()
    await network.phone(PEER).text(number, 'before')
    await client.find(({ content }) => content?.text === 'before')
    await first.kill()
    await network.phone(PEER).text(number, 'meanwhile')
    const second = await start()
    const next = await connectToAny(t, [second.port], 'num_1')
    await next.start({ number, credentials })
    await next.find(({ content }) => content?.text === 'meanwhile')
    await next.state('OPEN')
    t.false(next.events.some(({ ev }) => ev === 'session.qr'))
    const sent = await next.ask('message.send', {
      messageId: 'm1',
      to: PEER,
      content: { type: 'text', text: 'answer' },
    })
    t.true(sent.ok)
    t.is(await second.stop(), 0)
  },
)

// [engine-fleet.store.7]
testWithPostgres(
  'a message that the database does not take is not acknowledged; the number goes on by itself once the database is back, and tells the message once',
  async (t, server) => {
    const { network, url, start } = await world(t, server)
    const { port } = await start()
    const number = '5511999997002'
    const { client, credentials, device } = await linkedAtRest(t, network, port, 'num_2', number)
    const held = await holdTable(t, url, 'journal')
    await network.phone(PEER).text(number, 'held')
    await until('its commit waits', () => waitsForLock(url))
    t.deepEqual(
      device?.mailbox.waiting().map(({ tag }) => tag),
      ['message'],
    )
    await cut(url)
    t.is(await client.closed, 1001)
    t.is(device?.mailbox.waiting().length, 1)
    await held.release()
    const next = await connectToAny(t, [port], 'num_2')
    await next.start({ number, credentials })
    await next.find(({ content }) => content?.text === 'held')
    await next.state('OPEN')
    next.ackAll()
    await device?.mailbox.whenGone()
    t.is(next.events.filter(({ content }) => content?.text === 'held').length, 1)
    t.false(next.events.some(({ ev }) => ev === 'session.qr'))
  },
)

// [engine-fleet.store.7]
testWithPostgres(
  'a post of a channel, which is not encrypted, is acknowledged once it is kept, and not before',
  async (t, server) => {
    const { network, url, start } = await world(t, server)
    const engine = await start()
    const number = '5511999997004'
    const { client, device } = await linkedAtRest(t, network, engine.port, 'num_4', number)
    const channel = network.createNewsletter(network.phone(PEER), 'News of the day')
    network.newsletters.follow(network.phone(number).account, channel.id)
    const held = await holdTable(t, url, 'journal')
    network.newsletters.post(channel, { conversation: 'extra' })
    await until('its commit waits', () => waitsForLock(url))
    t.deepEqual(
      device?.mailbox.waiting().map(({ tag }) => tag),
      ['message'],
    )
    await held.release()
    await device?.mailbox.whenGone()
    await client.find(({ content }) => content?.text === 'extra')
  },
)

// [engine-fleet.store.7]
testWithPostgres(
  'a scan that the database does not take is not answered, so a phone never links a device that is kept nowhere',
  async (t, server) => {
    const { network, url, start } = await world(t, server)
    const { port } = await start()
    const number = '5511999997003'
    const client = await connectBridge(t, port, 'num_3')
    await client.start({ number, credentials: null })
    const { qr } = await client.find(({ ev }) => ev === 'session.qr')
    const held = await holdTable(t, url, 'sessions')
    let isLinked = false
    const scanning = network
      .phone(number)
      .scan(qr)
      .then(
        () => {
          isLinked = true
        },
        () => {},
      )
    await until('its commit waits', () => waitsForLock(url))
    t.false(isLinked)
    await cut(url)
    t.is(await client.closed, 1001)
    await held.release()
    t.deepEqual(network.devices(number), [])
    t.false(isLinked)
    void scanning
    const { client: again } = await linkNumber(t, network, port, 'num_3', number)
    t.true(again.events.some(({ ev }) => ev === 'session.credentials'))
  },
)
