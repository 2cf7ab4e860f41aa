import test from 'ava'
import { inSeconds } from '../helpers/in-seconds.ts'
import { assertHeard, assertOnPhones, untilHeard } from '../helpers/engine-accounts.ts'
import { EngineWorld } from '../helpers/engine-world.ts'
import { assertEvents, DOUBTFUL, sendThroughKills, untilEnded } from '../helpers/message-accounts.ts'
import { MessageStorm, type Conversation } from '../helpers/message-storm.ts'
import { PhoneStorm, type Chat } from '../helpers/phone-storm.ts'
import { killAndRestart } from '../helpers/receiver-calls.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { Service } from '../helpers/service.ts'
import { counted, IS_FULL, LEDGER_MS } from '../helpers/size.ts'

/**
 * Full size, as in the gate on a fast machine (our choice): 5,000 messages in and 2,000 out over 20 numbers, ten kills
 * of each program. ENGINE_LEDGER=small is for runs by hand.
 */
const IS_SMALL = process.env['ENGINE_LEDGER'] === 'small'
const IS_WHOLE = IS_FULL && !IS_SMALL
const NUMBERS = IS_WHOLE ? 20 : 6
const PEERS = IS_WHOLE ? 5 : 2
const TEXTS_EACH = IS_WHOLE ? counted(50, 10) : 25
const SENDS_EACH = IS_WHOLE ? counted(20, 4) : 10
const KILLS = IS_WHOLE ? counted(10, 2) : 2
const TIMEOUT_MS = IS_WHOLE ? 3_600_000 : LEDGER_MS
const story = IS_FULL || IS_SMALL ? test : test.skip
const SENDERS = 12
/** LEDGER_SEED repeats the kills of an earlier run at the same points. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))
const IN = NUMBERS * PEERS * TEXTS_EACH
const OUT = NUMBERS * PEERS * SENDS_EACH

story(
  `${IN} messages to ${NUMBERS} numbers and ${OUT} of them, while engine and gateway are killed ${KILLS} times each: what the network had acknowledged is in the history once and in order, each send is on its phone once and has one end`,
  async (t) => {
    t.timeout(TIMEOUT_MS)
    t.log(`seed ${SEED}`)
    const startMs = performance.now()
    const world = await EngineWorld.open()
    t.teardown(() => world.stop())
    const service = await Service.start({ env: { ...DOUBTFUL, ...world.env, LOG_LEVEL: 'warn' } })
    t.teardown(() => service.stop())
    const numbers = await world.pair(
      service,
      Array.from({ length: NUMBERS }, (_, index) => `55119888${10_000 + index}`),
    )
    const peers = Array.from({ length: PEERS }, (_, index) => `55119999${90_001 + index * 10}`)
    for (const peer of peers) await world.network.post(`/control/phones/${peer}/settings`, { autoReceipt: 'read' })
    const chats: Chat[] = numbers.flatMap((number) => peers.map((peer) => ({ number, peer, written: [] })))
    const conversations: Conversation[] = chats.map(({ number, peer }) => ({
      number,
      peer,
      kind: 'UNOFFICIAL',
      texts: [],
      ids: [],
    }))
    const preparedMs = performance.now()

    await Promise.all([
      sendThroughKills({
        storm: new PhoneStorm(world.network, chats, TEXTS_EACH),
        kills: KILLS,
        random: seededRandom(SEED),
        kill: () => world.killAndRestart(),
      }),
      sendThroughKills({
        storm: new MessageStorm(service, conversations, SENDS_EACH, SENDERS),
        kills: KILLS,
        random: seededRandom(SEED + 1),
        kill: () => killAndRestart(service),
      }),
    ])
    const stormMs = performance.now()
    await untilEnded(service, conversations)
    await untilHeard(world, service, chats)
    const endedMs = performance.now()
    t.log(
      `s: prepare ${inSeconds(preparedMs - startMs)}, storm ${inSeconds(stormMs - preparedMs)}, until all ended ${inSeconds(endedMs - stormMs)}`,
    )

    const events = await storedEvents(service, service.tenantKey)
    await assertHeard(t, service, events, chats)
    assertEvents(t, events, conversations)
    const { again, outOfOrder } = await assertOnPhones(t, world, conversations)
    t.log(
      `${again} of ${OUT} went out again under the same id; ${outOfOrder} of ${conversations.length} conversations are not in the order of their acceptance`,
    )
  },
)
