import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import test from 'ava'
import { WebSocket } from 'ws'
import { type Client, openClient, pairedClient } from './client.ts'
import { networkFor } from './started.ts'

const ANA = '5511999990001'
const BIA = '5511999990002'

/** Sessions that link at the same time. Each publishes hundreds of keys, which costs 0.3 s of processor time. */
const AT_ONCE = 20

/** Sessions at once: 12 by default, 200 at full size. */
const MANY = process.env['TEST_FULL'] === '1' ? 200 : 12

test('a connection ends with the close code a test asks for, and the session lives on', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  for (const code of [403, 408, 411, 428, 429, 440, 500, 503, 515]) {
    network.closeWith(code, ANA)
    t.is(await client.closed(), code)
    client.connect()
    await client.open()
  }
})

test('logins are refused with the code a test asks for, until it ends', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  for (const code of [402, 403, 405, 406, 429, 503]) {
    network.faults.refuseLogins = code
    network.drop(ANA)
    await client.closed()
    client.connect()
    t.is(await client.closed(), code)
  }
  network.faults.refuseLogins = undefined
  client.connect()
  await client.open()
})

test('while it throttles, sockets are refused with 429 before any handshake', async (t) => {
  const network = await networkFor(t)
  network.faults.throttled = true
  // The test opens its own socket, because the library would emit the refusal as an event without a listener and wait
  // forever.
  const [, response] = (await once(new WebSocket(network.socketUrl), 'unexpected-response')) as [
    unknown,
    IncomingMessage,
  ]
  t.is(response.statusCode, 429)
  t.is(network.statistics.connections, 0)
})

test('a phone that unlinks logs the device out for good', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  network.phone(ANA).unlink()
  t.is(await client.closed(), 401)
  client.connect()
  t.is(await client.closed(), 401)
  t.is(network.devices(ANA).length, 0)
})

test('a client that logs itself out is no device any more', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  await client.sock.logout()
  await network.until(() => network.devices(ANA).length === 0 || undefined, 'the device to be gone')
  client.connect()
  t.is(await client.closed(), 401)
})

test('a second socket with the same credentials replaces the first', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const { sock } = client
  const replaced = new Promise<number>((resolve) => {
    sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
      if (connection === 'close')
        resolve((lastDisconnect?.error as { output?: { statusCode?: number } } | undefined)?.output?.statusCode ?? 0)
    })
  })
  client.connect()
  t.is(await replaced, 440)
  await client.open()
})

test('a restricted number is told so with each message it sends', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA, { emitOwnEvents: false })
  network.faults.refuseSends.set(ANA, '463')
  const sent = await client.sock.sendMessage(`${BIA}@s.whatsapp.net`, { text: 'too much' })
  await client.event('messages.update', (updates) =>
    updates.some(({ key, update }) => key.id === sent?.key.id && update.messageStubParameters?.[0] === '463'),
  )
  t.is(network.phone(BIA).received.length, 0)
})

test('many sessions are linked and dropped at once, and each comes back to its own messages', async (t) => {
  const network = await networkFor(t)
  const numbers = Array.from({ length: MANY }, (_, index) => `55219${String(70_000_000 + index * 10 + 1)}`)
  const clients: Client[] = []
  for (let start = 0; start < MANY; start += AT_ONCE) {
    clients.push(
      ...(await Promise.all(numbers.slice(start, start + AT_ONCE).map((number) => pairedClient(network, number)))),
    )
  }
  t.is(network.statistics.connections, MANY)
  network.drop()
  await Promise.all(clients.map((client) => client.closed()))
  const bia = network.phone(BIA)
  await Promise.all(numbers.map((number) => bia.text(number, `to ${number}`)))
  for (const client of clients) client.connect()
  await Promise.all(
    clients.map((client, index) => client.find(({ message }) => message?.conversation === `to ${numbers[index]}`)),
  )
  t.is(network.statistics.logins, 2 * MANY)
  t.true(network.statistics.peakHandshakes > 1)
})

test('a QR code that no client shows is refused', async (t) => {
  const network = await networkFor(t)
  const client = openClient(network.socketUrl)
  const qr = await client.qr()
  await t.throwsAsync(network.phone(ANA).scan(qr.replace(/#2@..../, '#2@AAAA')), { message: /no device waits/ })
  await t.throwsAsync(network.phone(ANA).scan('hello'), { message: /no QR code/ })
  client.end()
})
