import test, { registerCompletionHandler, type ExecutionContext } from 'ava'
import { startEngineProcess, type EngineProcess } from './helpers/engine-process.ts'
import { linkNumber } from './helpers/linked-number.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { persistGateway, type PersistentGateway } from './helpers/persistent-gateway.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'

registerCompletionHandler(() => process.exit())

const IS_FULL = process.env['TEST_FULL'] === '1'
/**
 * The full size exchanges 5,000 messages to 20 numbers and 2,000 sends over ten kills. The small size checks the same
 * in seconds.
 */
const SIZE = IS_FULL
  ? { numbers: 20, inbound: 5_000, outbound: 2_000, kills: 10 }
  : { numbers: 4, inbound: 240, outbound: 80, kills: 3 }
const SENDERS = ['5511888880001', '5511888880002', '5511888880003', '5511888880005', '5511888880006']

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

/** Each sender writes to each number in turn, one text after the other. */
async function writeAll(
  network: Network,
  numbers: readonly string[],
  count: number,
  written: (so: number) => void,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const byChat = new Map<string, string[]>()
  for (let index = 0; index < count; index++) {
    const [number = '', sender = ''] = [
      numbers[index % numbers.length],
      SENDERS[Math.floor(index / numbers.length) % SENDERS.length],
    ]
    await network.phone(sender).text(number, `${index}`)
    byChat.set(`${sender} ${number}`, [...(byChat.get(`${sender} ${number}`) ?? []), `${index}`])
    written(index)
  }
  return byChat
}

function inChat(gateway: PersistentGateway, sender: string): readonly string[] {
  return gateway.texts.filter(({ from }) => from === sender).map(({ text }) => text)
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
  for (const [index, gateway] of gateways.entries()) {
    for (const [id, seqs] of gateway.told) t.is(seqs.size, 1, `${id} has one event`)
    for (const sender of SENDERS) t.deepEqual(inChat(gateway, sender), byChat.get(`${sender} ${numbers[index]}`) ?? [])
  }
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
        const to = SENDERS[index % SENDERS.length]
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
  for (const [text, id] of ids) {
    const phone = network.phone(SENDERS[Number(text.slice(4)) % SENDERS.length] ?? '')
    await phone.find((message) => message.text === text)
    t.deepEqual(
      phone.received.filter((message) => message.text === text).map((message) => message.id),
      [id],
    )
  }
  const copies = SENDERS.flatMap((sender) => network.phone(sender).received)
    .filter(({ text }) => text?.startsWith('out '))
    .map((message) => message.copies)
  t.log(`${copies.filter((count) => count > 1).length} of ${copies.length} went out again under the same id`)
})
