import test from 'ava'
import { pairedClient } from './client.ts'
import { openControl } from './control.ts'
import { countSockets } from './socket-counts.ts'
import { networkFor } from './started.ts'

const ANA = '5511999990001'
const BIA = '5511999990002'

test('sockets of a number that follow each other are never counted as two at once', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  network.drop(ANA)
  await client.closed()
  client.connect()
  await client.open()
  t.deepEqual(network.sockets.get(ANA), { open: 1, most: 1, overlaps: 0, again: 0, late: 0, logins: 2, scans: 1 })
  t.is(network.statistics.registrations, 1)
  client.end()
  await network.until(() => (network.sockets.get(ANA)?.open === 0 ? true : undefined), 'the socket is gone')
})

test('a login beside an open socket of the number is an overlap, and what comes in on the older socket is late', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const [device] = network.devices(ANA)
  const older = client.sock
  // A client that stands still hears of nothing.
  const connection = Object.assign(device!.connection!, { send: () => {}, end: () => {} })
  client.connect()
  await client.open()
  t.like(network.sockets.get(ANA), { open: 2, most: 2, overlaps: 1, late: 0 })
  await older.sendNode({ tag: 'presence', attrs: { type: 'unavailable' } })
  await network.until(() => (network.sockets.get(ANA)?.late === 1 ? true : undefined), 'the older socket is heard')
  connection.drop()
  await network.until(() => (network.sockets.get(ANA)?.open === 1 ? true : undefined), 'the older socket is gone')
})

test('a login beside a socket of the same program is told from one beside that of another', (t) => {
  const counts = countSockets()
  counts.opened(ANA, 'engine-1')
  counts.opened(ANA, 'engine-1')
  t.like(counts.all.get(ANA), { overlaps: 0, again: 1 })
  counts.closed(ANA, 'engine-1')
  counts.opened(ANA, 'engine-2')
  t.like(counts.all.get(ANA), { overlaps: 1, again: 1 })
  counts.closed(ANA, 'engine-1')
  counts.opened(ANA, 'engine-2')
  t.like(counts.all.get(ANA), { overlaps: 1, again: 2, open: 2, most: 2 })
})

test('a client names its program in the address', async (t) => {
  const network = await networkFor(t)
  await pairedClient(
    { socketUrl: `${network.socketUrl}?program=engine-1`, phone: (number) => network.phone(number) },
    ANA,
  )
  t.is(network.devices(ANA)[0]?.connection?.program, 'engine-1')
})

test('the control interface shows the counts of each linked number, and what waits for it', async (t) => {
  const network = await networkFor(t)
  const control = await openControl(network)
  t.teardown(() => control.close())
  const client = await pairedClient(network, ANA)
  client.end()
  await network.until(() => (network.sockets.get(ANA)?.open === 0 ? true : undefined), 'the socket is gone')
  const [device] = network.devices(ANA)
  const before = device?.mailbox.waiting().length ?? 0
  await network.phone(BIA).text(ANA, 'hello')
  const response = await fetch(`${control.url}/control/sockets`)
  t.deepEqual(await response.json(), {
    [ANA]: { open: 0, most: 1, overlaps: 0, again: 0, late: 0, logins: 1, scans: 1, waiting: before + 1 },
  })
})
