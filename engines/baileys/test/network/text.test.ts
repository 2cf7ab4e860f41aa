import test from 'ava'
import { openClient, pairedClient } from './client.ts'
import { networkFor } from './started.ts'

const ANA = '5511999990001'
const BIA = '5511999990002'

test('a client is paired by QR code, told to connect anew, and logged in', async (t) => {
  const network = await networkFor(t)
  const client = openClient(network.socketUrl)
  const jid = await network.phone(ANA, 'Ana').scan(await client.qr())
  t.is(await client.closed(), 515)
  client.connect()
  await client.open()
  t.is(client.creds.me?.id, jid)
  t.is(network.devices(ANA).length, 1)
})

test('texts go both ways, encrypted end to end, and receipts come back', async (t) => {
  const network = await networkFor(t)
  // The library would merge events of the client's own messages with the receipts that follow them.
  const client = await pairedClient(network, ANA, { emitOwnEvents: false })
  const bia = network.phone(BIA, 'Bia')
  await bia.text(ANA, 'hello engine')
  const received = await client.find(({ message }) => message?.conversation === 'hello engine')
  t.is(received.key.remoteJid, `${BIA}@s.whatsapp.net`)
  t.is(received.pushName, 'Bia')
  const sent = await client.sock.sendMessage(`${BIA}@s.whatsapp.net`, { text: 'hello phone' })
  const arrived = await bia.find(({ text }) => text === 'hello phone')
  t.is(arrived.id, String(sent?.key.id))
  t.is(arrived.from, ANA)
  const own = await network.phone(ANA).find(({ fromMe }) => fromMe)
  t.is(own.chat, `${BIA}@s.whatsapp.net`)
  bia.read(arrived)
  await client.event('messages.update', (updates) =>
    updates.some(({ key, update }) => key.id === sent?.key.id && update.status === 4),
  )
  await bia.receipt(String(received.key.id), 'delivered')
  t.deepEqual([bia.state.faults, network.phone(ANA).state.faults], [[], []])
})

test('a message that was not acknowledged comes again after a reconnect, one that was does not', async (t) => {
  const network = await networkFor(t)
  const client = await pairedClient(network, ANA)
  const bia = network.phone(BIA)
  const first = await bia.text(ANA, 'first')
  await client.find(({ message }) => message?.conversation === 'first')
  await bia.receipt(first, 'delivered')
  network.drop(ANA)
  t.is(await client.closed(), 428)
  await bia.text(ANA, 'second')
  await bia.text(ANA, 'third')
  t.is(network.devices(ANA)[0]?.mailbox.waiting().length, 2)
  client.connect()
  await client.find(({ message }) => message?.conversation === 'third')
  t.deepEqual(
    client.messages.map(({ message }) => message?.conversation),
    ['first', 'second', 'third'],
  )
})

test('two clients write to each other, and each hears of the receipts of the other', async (t) => {
  const network = await networkFor(t)
  const ana = await pairedClient(network, ANA, { emitOwnEvents: false })
  const bia = await pairedClient(network, BIA, { emitOwnEvents: false })
  const sent = await ana.sock.sendMessage(`${BIA}@s.whatsapp.net`, { text: 'to a client' })
  const received = await bia.find(({ message }) => message?.extendedTextMessage?.text === 'to a client')
  t.is(received.key.id, sent?.key.id)
  await bia.sock.readMessages([received.key])
  await ana.event('messages.update', (updates) =>
    updates.some(({ key, update }) => key.id === sent?.key.id && update.status === 4),
  )
  await bia.sock.sendMessage(`${ANA}@s.whatsapp.net`, { text: 'and back' })
  await ana.find(({ message }) => message?.extendedTextMessage?.text === 'and back')
  t.is((await network.phone(BIA).find(({ fromMe }) => fromMe)).text, 'and back')
})
