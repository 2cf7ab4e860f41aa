import test, { registerCompletionHandler, type ExecutionContext } from 'ava'
import { startEngineProcess, type EngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { persistGateway } from './helpers/persistent-gateway.ts'
import { assertReceivedOnce, assertToldOnce, receiverOf, SENDERS, writeAll } from './helpers/traffic.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const IS_FULL = process.env['TEST_FULL'] === '1'
/**
 * The full size exchanges 5,000 messages to 20 numbers and 2,000 sends over ten kills. The small size checks the same
 * in seconds.
 */
const SIZE = IS_FULL
  ? { numbers: 20, inbound: 5_000, outbound: 2_000, kills: 10 }
  : { numbers: 4, inbound: 240, outbound: 80, kills: 3 }

/** Links numbers to an engine. `strike` kills the engine and starts it again; the gateway reconnects each time. */
async function world(t: ExecutionContext) {
  const network = await networkFor(t)
  const folder = temporaryFolder(t)
  let engine: EngineProcess = await startEngineProcess(t, network, folder)
  const linked = await Promise.all(
    Array.from({ length: SIZE.numbers }, (_, index) =>
      linkNumber(t, network, engine.port, `num_${index}`, `551199999${1_000 + index}`),
    ),
  )
  const gateways = linked.map((number) => persistGateway(t, number, () => engine.port))
  t.teardown(() => {
    for (const gateway of gateways) gateway.stop()
  })
  const strike = async (): Promise<void> => {
    await engine.kill()
    for (const gateway of gateways) if (Math.random() < 0.3) gateway.drop()
    engine = await startEngineProcess(t, network, folder)
  }
  return { network, linked, gateways, strike }
}

// [engines.baileys-duties.1]
test(`of ${SIZE.inbound} messages to ${SIZE.numbers} numbers, under ${SIZE.kills} kills of the engine, none is lost, told twice or out of its chat's order`, async (t) => {
  t.timeout(IS_FULL ? 1_200_000 : 240_000)
  const { network, linked, gateways, strike } = await world(t)
  const numbers = linked.map(({ number }) => number)
  const every = Math.floor(SIZE.inbound / (SIZE.kills + 1))
  let striking: Promise<void> = Promise.resolve()
  const byChat = await writeAll(network, numbers, SIZE.inbound, (so) => {
    if (so > 0 && so % every === 0) striking = striking.then(strike)
  })
  await striking
  await Promise.all(
    gateways.map((gateway, index) =>
      gateway.reaches(
        Array.from({ length: SIZE.inbound }, (_, at) => at % numbers.length).filter((of) => of === index).length,
      ),
    ),
  )
  assertToldOnce(t, gateways, numbers, byChat)
})

// [engines.baileys-duties.2]
test(`of ${SIZE.outbound} sends, under ${SIZE.kills} kills of the engine, each reaches its phone once and has one end`, async (t) => {
  t.timeout(IS_FULL ? 1_200_000 : 240_000)
  const { network, gateways, strike } = await world(t)
  const every = Math.floor(SIZE.outbound / (SIZE.kills + 1))
  let striking: Promise<void> = Promise.resolve()
  let answered = 0
  const ids = new Map<string, string>()
  await Promise.all(
    gateways.map(async (gateway, lane) => {
      for (let index = lane; index < SIZE.outbound; index += gateways.length) {
        const to = receiverOf(index)
        const answer = await gateway.askUntilAnswered('message.send', {
          messageId: `msg_${index}`,
          to,
          content: { type: 'text', text: `out ${index}` },
        })
        t.true(answer.ok, JSON.stringify(answer.error))
        ids.set(`out ${index}`, answer.result.externalMessageId)
        if (++answered % every === 0 && answered < SIZE.outbound) striking = striking.then(strike)
      }
    }),
  )
  await striking
  await assertReceivedOnce(t, network, ids)
  const copies = SENDERS.flatMap((sender) => network.phone(sender).received)
    .filter(({ text }) => text?.startsWith('out '))
    .map((message) => message.copies)
  t.log(`${copies.filter((count) => count > 1).length} of ${copies.length} went out again under the same id`)
})
