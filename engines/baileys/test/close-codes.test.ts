import test, { registerCompletionHandler } from 'ava'
import { connectBridge } from './helpers/bridge-client.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const COMES_BACK = [408, 428, 429, 500, 503, 515]
const STOPS = [
  [401, 'logged_out'],
  [403, 'banned'],
  [411, 'logged_out'],
  [440, 'replaced'],
] as const
/** Close codes with which the network refuses the next login, and the reason that the session reports. */
const REFUSED = [
  [405, 'outdated'],
  [402, 'banned'],
  [406, 'banned'],
] as const

test('each close code does what the table says, seen by the gateway', async (t) => {
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const numberOf = (code: number): string => `551199999${1_000 + code}`
  const link = (code: number) => linkNumber(t, network, engine.port, `num_${code}`, numberOf(code))

  await Promise.all(
    COMES_BACK.map(async (code) => {
      const { client } = await link(code)
      const opened = await client.state('OPEN')
      network.closeWith(code, numberOf(code))
      await client.find(({ ev, seq, state }) => ev === 'session.state' && state === 'CONNECTING' && seq > opened.seq)
      await client.find(({ ev, seq, state }) => ev === 'session.state' && state === 'OPEN' && seq > opened.seq)
      t.pass(`${code} comes back`)
    }),
  )

  await Promise.all(
    STOPS.map(async ([code, reason]) => {
      const { client, credentials, numberId } = await link(code)
      network.closeWith(code, numberOf(code))
      t.is((await client.state('CLOSE'))['reason'], reason, `${code}`)
      // Only a logged out device is gone for good, so its old credentials must open nothing.
      if (reason !== 'logged_out') return
      const next = await connectBridge(t, engine.port, numberId)
      await next.start({ number: numberOf(code), credentials })
      t.is((await next.state('CLOSE'))['reason'], 'logged_out')
    }),
  )

  await Promise.all(
    REFUSED.map(async ([code, reason]) => {
      const { client } = await link(code)
      network.faults.refuseNumbers.set(numberOf(code), code)
      network.drop(numberOf(code))
      t.is((await client.state('CLOSE'))['reason'], reason, `${code}`)
      t.like(await client.find(({ ev }) => ev === 'session.health'), { level: 'restricted', code: reason })
    }),
  )
  const { logins } = network.statistics
  t.deepEqual(
    [...STOPS, ...REFUSED].filter(([code]) => network.devices(numberOf(code)).some(({ connection }) => connection)),
    [],
  )
  t.is(network.statistics.logins, logins)
})
