import test from 'ava'
import { ClusterKills } from '../helpers/cluster-kills.ts'
import { Cluster } from '../helpers/cluster.ts'
import {
  assertAccounted,
  assertDelivered,
  assertStored,
  hookedNumbers,
  IMPATIENT,
  ringThroughKills,
  untilTaken,
} from '../helpers/receiver-accounts.ts'
import { CallStorm } from '../helpers/receiver-calls.ts'
import { loggedAttempts, storedEvents, type LogItem, type StoredEnvelope } from '../helpers/receiver-ledger.ts'
import { ReceiverZoo, seededRandom } from '../helpers/receiver-zoo.ts'
import { counted, IS_LONG, LEDGER_MS, sized } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

const CALLS = IS_LONG ? 2_000 : counted(200, 40)
const NUMBERS = IS_LONG ? 20 : sized(9, 3)
const KILLS = IS_LONG ? 6 : 2
const FAILING = 0.3
const CALLERS = 8
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))

const story = TEST_DATABASE_URL === null || TEST_REDIS_URL === null ? test.skip : test

interface Settled {
  readonly stored: readonly StoredEnvelope[]
  readonly items: readonly LogItem[]
}

/**
 * What is stored and logged once every event was delivered. A gateway settles everything in progress before it stops; a
 * try that is still owed then is waited for.
 */
async function settled(cluster: Cluster, zoo: ReceiverZoo): Promise<Settled> {
  for (;;) {
    const stored = await storedEvents(cluster.balanced, cluster.tenantKey)
    await Promise.all(cluster.nodes.map((node) => node.kill('SIGTERM')))
    const items = await loggedAttempts(cluster)
    const taken = new Set(
      items.filter(({ status }) => status === 'SUCCESS').map(({ webhookId, eventId }) => `${webhookId} ${eventId}`),
    )
    if (items.every(({ webhookId, eventId }) => taken.has(`${webhookId} ${eventId}`))) return { stored, items }
    const made = zoo.arrivals.length
    await Promise.all(cluster.nodes.map((node) => cluster.restartNode(node)))
    await until('the try that is owed is made', () => zoo.arrivals.length > made)
  }
}

story(
  `${CALLS} calls' events of three gateways reach a receiver that fails in every way while ${KILLS} of the gateways are killed: none lost, none invented, every attempt accounted for`,
  async (t) => {
    t.timeout(LEDGER_MS)
    t.log(`seed ${SEED}`)
    const random = seededRandom(SEED)
    const zoo = await ReceiverZoo.open({ random, failing: FAILING })
    t.teardown(() => zoo.close())
    const cluster = await Cluster.start({ isBalanced: true, env: { ...IMPATIENT, LOG_LEVEL: 'warn' } })
    t.teardown(() => cluster.stop())
    const service = cluster.balanced
    const { numbers, hooks } = await hookedNumbers(service, zoo, NUMBERS)
    const storm = new CallStorm(service, numbers)
    const killing = new ClusterKills(cluster, random)
    const outages = await ringThroughKills({
      storm,
      calls: CALLS,
      callers: CALLERS,
      kills: KILLS,
      random,
      kill: () => killing.killOne(),
    })

    const awaited = await until('every call has ended in the service', async () => {
      const ended = (await storedEvents(service, cluster.tenantKey)).filter(({ event }) => event === 'call.ended')
      return ended.length >= CALLS ? ended : null
    })
    await untilTaken(zoo, awaited)
    const { stored, items } = await settled(cluster, zoo)
    const { arrivals } = zoo
    t.log(
      `${arrivals.length} requests, ${items.length} logged attempts, ${outages.length} kills, ${killing.takenOver} numbers taken over`,
    )

    assertStored(t, awaited, storm.rung)
    assertDelivered(t, { hooks, events: stored, arrivals })
    assertAccounted(t, { hooks, arrivals, items, outages })
    t.deepEqual(zoo.forbidden.arrivals, [], 'no redirect was followed')
  },
)
