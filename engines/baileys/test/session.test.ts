import test, { registerCompletionHandler } from 'ava'
import { connectBridge } from './helpers/bridge-client.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const ANA = '5511999990001'
const BIA = '5511999990002'

test('a number is linked by QR, hears and writes texts, and stays linked over kill -9', async (t) => {
  const network = await networkFor(t)
  const folder = temporaryFolder(t)
  const engine = await startEngineProcess(t, network, folder)
  const gateway = await connectBridge(t, engine.port, 'num_1')
  const started = await gateway.start({ number: ANA, credentials: null })
  t.is(started.result.engine.name, 'baileys')
  const { qr, expiresInMs, pairingCode } = await gateway.find(({ ev }) => ev === 'session.qr')
  t.is(expiresInMs, 60_000)
  t.is(pairingCode, null)
  await network.phone(ANA).scan(qr)
  const { credentials } = await gateway.find(({ ev }) => ev === 'session.credentials')
  await gateway.state('OPEN')
  await network.phone(BIA, 'Bia').text(ANA, 'hello')
  const received = await gateway.find(({ ev }) => ev === 'message.received')
  t.like(received, { from: BIA, to: ANA, fromName: 'Bia', historical: false, content: { type: 'text', text: 'hello' } })
  const sent = await gateway.ask('message.send', {
    messageId: 'msg_1',
    to: BIA,
    content: { type: 'text', text: 'hello back' },
  })
  t.true(sent.ok)
  const arrived = await network.phone(BIA).find(({ text }) => text === 'hello back')
  t.is(arrived.id, sent.result.externalMessageId)
  await engine.kill()
  await gateway.closed

  const again = await startEngineProcess(t, network, folder)
  const next = await connectBridge(t, again.port, 'num_1')
  await next.start({ number: ANA, credentials })
  await next.state('OPEN')
  t.is((await next.find(({ ev }) => ev === 'message.received')).seq, received.seq)
  t.is(next.events.filter(({ ev, state }) => ev === 'session.state' && state === 'OPEN').length, 1)
  const repeated = await next.ask('message.send', {
    messageId: 'msg_1',
    to: BIA,
    content: { type: 'text', text: 'hello back' },
  })
  t.deepEqual(repeated.result, sent.result)
  await network.phone(BIA).text(ANA, 'second')
  await next.find(({ content }) => content?.text === 'second')
  t.is(network.phone(BIA).received.filter(({ text }) => text === 'hello back').length, 1)
  t.is(await again.stop(), 0)
})
