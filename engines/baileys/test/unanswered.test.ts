import test, { registerCompletionHandler } from 'ava'
import { until } from '../../../test/helpers/until.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

// [engines.baileys-duties.2]
test('a message that a breaking connection took with it is not answered as sent; its repetition goes out, once', async (t) => {
  t.timeout(240_000)
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const number = '5511999995001'
  const peer = network.phone('5511888885001')
  const { client } = await linkNumber(t, network, engine.port, 'num_unanswered', number)
  client.ackAll()
  // After this send the engine knows the peer's devices, so the next sends ask the network nothing else.
  t.true(
    (
      await client.ask('message.send', {
        messageId: 'msg_0',
        to: peer.number,
        content: { type: 'text', text: 'before' },
      })
    ).ok,
  )
  const { logins } = network.statistics
  network.faults.stalled.add(number)
  const asked = client.ask('message.send', {
    messageId: 'msg_1',
    to: peer.number,
    content: { type: 'text', text: 'lost on the way' },
  })
  await until('the message was written to the socket', () => network.statistics.unheardMessages === 1)
  network.faults.stalled.delete(number)
  network.drop()
  const first = await asked
  t.like(first, { ok: false, error: { code: 'NOT_CONNECTED', retryable: true } })
  await until(
    'the number is back',
    () =>
      network.statistics.logins > logins
      && client.events.findLast(({ ev }) => ev === 'session.state')?.['state'] === 'OPEN',
  )
  const repeated = await client.ask('message.send', {
    messageId: 'msg_1',
    to: peer.number,
    content: { type: 'text', text: 'lost on the way' },
  })
  t.true(repeated.ok, JSON.stringify(repeated))
  await peer.find(({ text }) => text === 'lost on the way')
  t.is(peer.received.filter(({ text }) => text === 'lost on the way').length, 1)
})
