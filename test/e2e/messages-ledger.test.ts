import test from 'ava'
import { inSeconds } from '../helpers/in-seconds.ts'
import { freePort } from '../helpers/free-port.ts'
import {
  assertEvents,
  assertReached,
  assertUsage,
  conversationsOf,
  DOUBTFUL,
  failUpstream,
  sendThroughKills,
  untilEnded,
} from '../helpers/message-accounts.ts'
import { MessageStorm } from '../helpers/message-storm.ts'
import { killAndRestart } from '../helpers/receiver-calls.ts'
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { Service } from '../helpers/service.ts'
import { counted, LEDGER_MS, sized } from '../helpers/size.ts'

const NUMBERS_OF_A_KIND = sized(25, 3)
const PEERS = sized(5, 2)
const EACH = counted(20, 4)
const KILLS = counted(5, 1)
const SENDERS = 24
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))
test(`${NUMBERS_OF_A_KIND * 2 * PEERS * EACH} messages of ${NUMBERS_OF_A_KIND * 2} numbers reach their peers while upstream fails 20 % and the gateway is killed ${KILLS} times: none lost, in order, no UNOFFICIAL one twice, one end each`, async (t) => {
  t.timeout(LEDGER_MS)
  t.log(`seed ${SEED}`)
  const startMs = performance.now()
  const random = seededRandom(SEED)
  const service = await Service.start({
    isSplit: true,
    env: { PORT: String(await freePort()), ...DOUBTFUL, LOG_LEVEL: 'warn' },
  })
  t.teardown(() => service.stop())
  const conversations = await conversationsOf(service, NUMBERS_OF_A_KIND, PEERS)
  await failUpstream(service)
  const preparedMs = performance.now()

  const storm = new MessageStorm(service, conversations, EACH, SENDERS)
  await sendThroughKills({ storm, kills: KILLS, random, kill: () => killAndRestart(service) })
  const stormMs = performance.now()
  const events = await untilEnded(service, conversations)
  const endedMs = performance.now()
  t.log(
    `s: prepare ${inSeconds(preparedMs - startMs)}, accept ${inSeconds(stormMs - preparedMs)}, until all ended ${inSeconds(endedMs - stormMs)}`,
  )

  await assertReached(t, service, conversations)
  assertEvents(t, events, conversations)
  await assertUsage(t, service, conversations)
})
