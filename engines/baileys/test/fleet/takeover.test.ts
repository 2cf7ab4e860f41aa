import { registerCompletionHandler } from 'ava'
import { engineFleet } from '../helpers/engine-fleet.ts'
import { testWithPostgres } from '../helpers/test-database.ts'
import { assertReceivedOnce, assertToldOnce, receiverOf, writeAll } from '../helpers/traffic.ts'

registerCompletionHandler(() => process.exit())

const IS_FULL = process.env['TEST_FULL'] === '1'
const SIZE = IS_FULL
  ? { numbers: 60, inbound: 5_000, outbound: 2_000, rounds: 10 }
  : { numbers: 6, inbound: 180, outbound: 60, rounds: 1 }
const STRIKES = ['kill', 'freeze', 'cut', 'roll'] as const
const STRUCK = SIZE.rounds * STRIKES.length

// [engine-fleet.takeover.1] [engine-fleet.takeover.2]
// [engine-fleet.store.3] [engine-fleet.store.4] [engine-fleet.store.7]
testWithPostgres(
  `of ${SIZE.inbound} messages to ${SIZE.numbers} numbers of a fleet, whose engines are killed, frozen, cut off and restarted, none is lost, told twice or out of its chat's order, and no phone is scanned again`,
  async (t, server) => {
    t.timeout(IS_FULL ? 1_200_000 : 240_000)
    const fleet = await engineFleet(t, server, SIZE.numbers)
    const scans = fleet.gateways.map((gateway) => gateway.scans)
    const numbers = fleet.linked.map(({ number }) => number)
    const every = Math.floor(SIZE.inbound / (STRUCK + 1))
    let striking = Promise.resolve()
    let struck = 0
    const byChat = await writeAll(fleet.network, numbers, SIZE.inbound, (so) => {
      if (so === 0 || so % every !== 0 || struck === STRUCK) return
      const strike = STRIKES[struck++ % STRIKES.length] ?? 'kill'
      striking = striking.then(() => fleet[strike]())
    })
    await striking
    await Promise.all(
      fleet.gateways.map((gateway, index) =>
        gateway.reaches(
          Array.from({ length: SIZE.inbound }, (_, at) => at % numbers.length).filter((of) => of === index).length,
        ),
      ),
    )
    assertToldOnce(t, fleet.gateways, numbers, byChat)
    t.deepEqual(
      fleet.gateways.map((gateway) => gateway.scans),
      scans,
      'nothing was scanned again',
    )
  },
)

// [engine-fleet.takeover.1] [engine-fleet.takeover.2]
testWithPostgres(
  `of ${SIZE.outbound} sends of a fleet, whose engines are killed, frozen, cut off and restarted, each reaches its phone once`,
  async (t, server) => {
    t.timeout(IS_FULL ? 1_200_000 : 240_000)
    const fleet = await engineFleet(t, server, SIZE.numbers)
    const { gateways } = fleet
    const every = Math.floor(SIZE.outbound / (STRUCK + 1))
    let striking = Promise.resolve()
    let [answered, struck] = [0, 0]
    const ids = new Map<string, string>()
    await Promise.all(
      gateways.map(async (gateway, lane) => {
        for (let index = lane; index < SIZE.outbound; index += gateways.length) {
          const answer = await gateway.askUntilAnswered('message.send', {
            messageId: `msg_${index}`,
            to: receiverOf(index),
            content: { type: 'text', text: `out ${index}` },
          })
          t.true(answer.ok, JSON.stringify(answer.error))
          ids.set(`out ${index}`, answer.result.externalMessageId)
          if (++answered % every !== 0 || struck === STRUCK) continue
          const strike = STRIKES[struck++ % STRIKES.length] ?? 'kill'
          striking = striking.then(() => fleet[strike]())
        }
      }),
    )
    await striking
    await assertReceivedOnce(t, fleet.network, ids)
  },
)
