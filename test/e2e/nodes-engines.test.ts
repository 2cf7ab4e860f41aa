import test from 'ava'
import { planOf, type StrikeKind } from '../../bench/fleet/plan.ts'
import { inSeconds } from '../helpers/in-seconds.ts'
import { FleetTraffic, strikeFaults } from '../helpers/fleet-ledger.ts'
import { FleetStrikes } from '../helpers/fleet-strikes.ts'
import { FleetWorld } from '../helpers/fleet-world.ts'
import { DOUBTFUL } from '../helpers/message-accounts.ts'
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { LEDGER_MS } from '../helpers/size.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'

const NUMBERS = 9
const SIZE = { peers: 2, texts: 5, sends: 2 }
const TEXTS = NUMBERS * SIZE.peers * SIZE.texts
const SENDS = NUMBERS * SIZE.peers * SIZE.sends
const KINDS: readonly StrikeKind[] = [
  { what: 'kill', frozenMs: null },
  { what: 'freeze', frozenMs: null },
  { what: 'roll', frozenMs: null },
  { what: 'gateway', frozenMs: null },
]
/** our choice, in ms: short, so that takers do not wait long. */
const LEASE_MS = 3_000
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('a fleet of engines loses nothing (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  // [engine-fleet.store.4] [engine-fleet.takeover.1] [engine-fleet.takeover.2]
  test(`of ${TEXTS} texts to ${NUMBERS} numbers on three engines behind two gateways and ${SENDS} sends of them, while an engine is killed with its files, one frozen, all rolled and a gateway killed, none is lost, doubled or out of order, no phone is scanned again, and no two engines hold a socket of one number`, async (t) => {
    t.timeout(LEDGER_MS)
    const startMs = performance.now()
    const world = await FleetWorld.open({
      env: { ...DOUBTFUL, LOG_LEVEL: 'warn' },
      engineEnv: { LEASE_TTL_MS: String(LEASE_MS) },
    })
    t.teardown(() => world.stop())
    const openMs = performance.now()
    const traffic = await FleetTraffic.of(world, await world.pair(NUMBERS), SIZE)
    const pairedMs = performance.now()
    const plan = planOf({ seed: SEED, kinds: KINDS, strikes: KINDS.length, texts: traffic.texts })
    const strikes = await traffic.through(plan, new FleetStrikes(world, seededRandom(SEED + 1)))
    const stormMs = performance.now()
    const { texts, sends, faults } = await traffic.account()
    t.log(
      `seed ${SEED}; s: start ${inSeconds(openMs - startMs)}, pair ${inSeconds(pairedMs - openMs)}, ${strikes.map(({ what, allOpenMs }) => `${what} ${inSeconds(allOpenMs)}`).join(', ')} of ${inSeconds(stormMs - pairedMs)}, until all ended ${inSeconds(performance.now() - stormMs)}`,
    )

    t.deepEqual([texts, sends], [TEXTS, SENDS])
    t.deepEqual(faults.slice(0, 10), [], `${faults.length} faults`)
    t.deepEqual(strikes.flatMap(strikeFaults), [])
    for (const { what, tookMs } of strikes) if (what !== 'gateway') t.true(tookMs.length > 0, `${what} moved numbers`)
  })
}
