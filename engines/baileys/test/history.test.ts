import { readFileSync } from 'node:fs'
import test from 'ava'
import { HISTORY_BATCH } from '../hearing/hear-history.ts'
import { connectBridge, type ClientEvent } from './helpers/bridge-client.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

const MESSAGES = process.env['TEST_FULL'] === '1' ? 50_000 : 2_000
/** Messages. So many keep the engine busy for a while, and the test kills it meanwhile. */
const KILLED_WITH = 2_000
/** Target, in MiB: the most that a history may add to the engine's memory. */
const MOST_GROWTH_MIB = 100

function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

// [engines.baileys-duties.6]
test('a long history waits on the disk for the gateway: at most two batches are out, memory stays, none is lost or told twice over kill -9', async (t) => {
  t.timeout(600_000)
  const network = await networkFor(t)
  const folder = temporaryFolder(t)
  const env = { NODE_EXTRA_CA_CERTS: network.caFile }
  const engine = await startEngineProcess(t, network, folder, env)
  const number = '5511900000301'
  const gateway = await connectBridge(t, engine.port, 'num_h')
  await gateway.start({ number, credentials: null, historyImport: true })
  const { qr } = await gateway.find(({ ev }) => ev === 'session.qr')
  await network.phone(number).scan(qr)
  const { credentials } = await gateway.find(({ ev }) => ev === 'session.credentials')
  await gateway.state('OPEN')
  const isHistorical = ({ historical }: ClientEvent): boolean => historical === true
  const before = residentMib(engine.pid)
  let most = before

  const pushed = network.phone(number).pushHistory({ messages: MESSAGES, chats: 50 })
  await gateway.find(() => gateway.events.filter(isHistorical).length >= HISTORY_BATCH)
  await pushed
  most = Math.max(most, residentMib(engine.pid))
  // The gateway acknowledges nothing. The answer arrives after every event, so all events are here now.
  await gateway.ask('calls.list')
  t.true(gateway.events.filter(isHistorical).length <= 2 * HISTORY_BATCH)

  const told = new Map<string, string>()
  const hear = (event: ClientEvent): void => {
    if (isHistorical(event)) told.set(String(event['externalMessageId']), JSON.stringify(event['content']))
    if (told.size % 500 === 0) most = Math.max(most, residentMib(engine.pid))
  }
  for (const event of gateway.events) hear(event)
  gateway.onEvent(hear)
  const half = gateway.find(() => told.size >= MESSAGES / 2, 300_000)
  gateway.ackAll()
  await half
  t.log(`${MESSAGES} messages: resident memory ${before.toFixed(0)} MiB before, ${most.toFixed(0)} MiB at most`)
  t.true(most - before < MOST_GROWTH_MIB, `${before} MiB before, ${most} MiB at most`)
  await engine.kill()

  const again = await startEngineProcess(t, network, folder, env)
  const next = await connectBridge(t, again.port, 'num_h')
  const numbers: number[] = []
  next.onEvent((event) => {
    if (isHistorical(event)) told.set(String(event['externalMessageId']), JSON.stringify(event['content']))
    numbers.push(event.seq)
  })
  const all = next.find(() => told.size === MESSAGES, 300_000)
  next.ackAll()
  await next.start({ number, credentials, historyImport: true })
  await all
  t.is(new Set(numbers).size, numbers.length)
})

test('a history that was acknowledged to the network just before kill -9 is told by the next life of the engine', async (t) => {
  t.timeout(600_000)
  const network = await networkFor(t)
  const folder = temporaryFolder(t)
  const env = { NODE_EXTRA_CA_CERTS: network.caFile }
  const engine = await startEngineProcess(t, network, folder, env)
  const number = '5511900000302'
  const gateway = await connectBridge(t, engine.port, 'num_k')
  gateway.ackAll()
  await gateway.start({ number, credentials: null, historyImport: true })
  const { qr } = await gateway.find(({ ev }) => ev === 'session.qr')
  await network.phone(number).scan(qr)
  const { credentials } = await gateway.find(({ ev }) => ev === 'session.credentials')
  await gateway.state('OPEN')
  // One batch: the network counts every message as delivered before the engine has read any of them.
  await network.phone(number).pushHistory({ messages: KILLED_WITH, chats: 20, batch: KILLED_WITH })
  await engine.kill()

  const next = await connectBridge(t, (await startEngineProcess(t, network, folder, env)).port, 'num_k')
  const ids = (): Set<unknown> =>
    new Set(
      [...gateway.events, ...next.events]
        .filter(({ historical }) => historical === true)
        .map(({ externalMessageId }) => externalMessageId),
    )
  const all = next.find(() => ids().size === KILLED_WITH, 300_000)
  next.ackAll()
  await next.start({ number, credentials, historyImport: true })
  await all
  t.is(ids().size, KILLED_WITH)
})
