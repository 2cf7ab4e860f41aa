import test, { registerCompletionHandler } from 'ava'
import { until } from '../../../test/helpers/until.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

/** Enough texts that many sends are in progress while the engine reads a text from the same person. */
const TEXTS = 150

test('while two people write to each other at the same time, each text is read at once and in order, under either id of its writer', async (t) => {
  t.timeout(240_000)
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const number = '5511999996001'
  const { client } = await linkNumber(t, network, engine.port, 'num_crossing', number)
  client.ackAll()
  const peers = ['5511888886001', '5511888886002'].map((name) => network.phone(name))
  peers[1]?.hide({ numberKnown: true })
  const texts = Array.from({ length: TEXTS }, (_, index) => `text ${index}`)
  await Promise.all(
    peers.flatMap((peer) => [
      (async () => {
        for (const text of texts) await peer.text(number, text)
      })(),
      (async () => {
        for (const text of texts)
          t.true(
            (
              await client.ask('message.send', {
                messageId: `msg_${peer.number}_${text}`,
                to: peer.number,
                content: { type: 'text', text },
              })
            ).ok,
          )
      })(),
    ]),
  )
  for (const peer of peers) {
    const told = (): string[] =>
      client.events
        .filter(({ ev, from }) => ev === 'message.received' && from === peer.number)
        .map(({ content }) => content.text)
    await until('all are told', () => told().length >= TEXTS)
    t.deepEqual(told(), texts)
    await until('all arrived', () => peer.received.length >= TEXTS)
    t.deepEqual(
      peer.received.map(({ text }) => text),
      texts,
    )
    t.deepEqual(peer.state.faults, [])
    t.deepEqual(
      peer.state.receipts.filter(({ type }) => type === 'retry'),
      [],
    )
  }
})
