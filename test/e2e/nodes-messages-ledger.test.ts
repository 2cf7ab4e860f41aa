import test from 'ava'
import { ClusterKills } from '../helpers/cluster-kills.ts'
import { Cluster } from '../helpers/cluster.ts'
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
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { IS_LONG, LEDGER_MS, sized } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'

const NUMBERS_OF_A_KIND = IS_LONG ? 25 : sized(6, 3)
const PEERS = IS_LONG ? 5 : 2
const EACH = IS_LONG ? 20 : sized(8, 4)
const KILLS = IS_LONG ? 6 : 2
const SENDERS = 24
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))

const story = TEST_DATABASE_URL === null || TEST_REDIS_URL === null ? test.skip : test

story(
  `${NUMBERS_OF_A_KIND * 2 * PEERS * EACH} messages of ${NUMBERS_OF_A_KIND * 2} numbers, sent through three gateways, reach their peers while upstream fails 20 % and ${KILLS} of the gateways are killed: none lost, in order, no UNOFFICIAL one twice, one end each`,
  async (t) => {
    t.timeout(LEDGER_MS)
    t.log(`seed ${SEED}`)
    const random = seededRandom(SEED)
    const cluster = await Cluster.start({ isBalanced: true, env: { ...DOUBTFUL, LOG_LEVEL: 'warn' } })
    t.teardown(() => cluster.stop())
    const service = cluster.balanced
    const conversations = await conversationsOf(service, NUMBERS_OF_A_KIND, PEERS)
    await failUpstream(service)

    const storm = new MessageStorm(service, conversations, EACH, SENDERS)
    const killing = new ClusterKills(cluster, random)
    await sendThroughKills({ storm, kills: KILLS, random, kill: () => killing.killOne() })
    const events = await untilEnded(service, conversations)
    t.log(`${killing.takenOver} numbers taken over`)

    await assertReached(t, service, conversations)
    assertEvents(t, events, conversations)
    await assertUsage(t, service, conversations)
  },
)
