/**
 * Strikes a fleet of three engines behind two gateways while people write to its numbers and are written to: engines
 * are killed with their files, frozen for 5, 15 and 60 s and rolled, gateways killed beside that. For each strike it
 * tells how long its numbers took until they were OPEN elsewhere (target: p99 within 30 s at 1,000 numbers), and at the
 * end what became of every message. It ends with 1 when one is lost, doubled or out of its chat's order, a number is
 * scanned again, or two engines hold a socket of one number at once. Needs TEST_DATABASE_URL and TEST_REDIS_URL.
 *
 *   node bench/fleet/bench.ts [numbers, 30] [seed, 1] [strikes, 5] [kill | freeze | roll, each of them]
 */
import { seededRandom } from '../../test/helpers/receiver-zoo.ts'
import { FleetTraffic, strikeFaults, type Strike } from '../../test/helpers/fleet-ledger.ts'
import { FleetStrikes } from '../../test/helpers/fleet-strikes.ts'
import { FleetWorld } from '../../test/helpers/fleet-world.ts'
import { inSeconds } from '../../test/helpers/in-seconds.ts'
import { DOUBTFUL } from '../../test/helpers/message-accounts.ts'
import { at, residentKib } from '../programs.ts'
import { ENGINE_STRIKES, planOf } from './plan.ts'

const NUMBERS = Number(process.argv[2] ?? 30)
const SEED = Number(process.argv[3] ?? 1)
const STRIKES = Number(process.argv[4] ?? ENGINE_STRIKES.length)
const KINDS = ENGINE_STRIKES.filter(({ what }) => what === (process.argv[5] ?? what))
const TARGET_MS = 30_000
/** Messages of a run in all, and the most of one number. */
const TEXTS = 5_000
const SENDS = 2_000
const MOST_TEXTS = 25
const MOST_SENDS = 10
const MOST_FAULTS_SHOWN = 20

function tell(strike: Strike): void {
  const { what, frozenMs, isGatewayKilled, tookMs, downMs, kept, allOpenMs, displaced, overlaps, again, late } = strike
  const name = `${what}${frozenMs === null ? '' : ` ${frozenMs / 1000} s`}${isGatewayKilled ? ' and a gateway' : ''}`
  const took =
    tookMs.length === 0
      ? ''
      : `, OPEN elsewhere after p50 ${inSeconds(at(tookMs, 0.5))}, p99 ${inSeconds(at(tookMs, 0.99))}, max ${inSeconds(at(tookMs, 1))} s (p99 within ${TARGET_MS / 1000}: ${at(tookMs, 0.99) <= TARGET_MS ? 'yes' : 'NO'}), without a socket p50 ${inSeconds(at(downMs, 0.5))}, p99 ${inSeconds(at(downMs, 0.99))} s`
  console.log(
    `${name}: ${tookMs.length + kept} numbers struck, ${kept} kept${took}; all OPEN after ${inSeconds(allOpenMs)} s; ${displaced} sockets of a frozen engine displaced, ${overlaps} overlaps, ${again} logins beside an own socket that was closing, ${late} late stanzas`,
  )
}

function residentMib(pid: number | undefined): string {
  return (residentKib(pid) / 1024).toFixed(0)
}

function tellMemory({ engines, cluster }: FleetWorld): void {
  const [held, ran] = [
    engines.map(({ program }) => residentMib(program.pid)),
    cluster.running.map(({ program }) => residentMib(program.child.pid)),
  ]
  console.log(`resident MiB: engines ${held.join(', ')}; gateways ${ran.join(', ')}`)
}

async function run(world: FleetWorld): Promise<boolean> {
  const startMs = performance.now()
  const numbers = await world.pair(NUMBERS)
  console.log(`${NUMBERS} numbers paired in ${inSeconds(performance.now() - startMs)} s, seed ${SEED}`)
  tellMemory(world)
  const traffic = await FleetTraffic.of(world, numbers, {
    peers: 1,
    texts: Math.max(1, Math.min(MOST_TEXTS, Math.floor(TEXTS / NUMBERS))),
    sends: Math.max(1, Math.min(MOST_SENDS, Math.floor(SENDS / NUMBERS))),
  })
  const plan = planOf({ seed: SEED, kinds: KINDS, strikes: STRIKES, texts: traffic.texts })
  const strikes = await traffic.through(plan, new FleetStrikes(world, seededRandom(SEED + 1)), tell)
  const { texts, sends, faults, again } = await traffic.account()
  const all = [...strikes.flatMap(strikeFaults), ...faults]
  console.log(
    `of ${texts} texts and ${sends} sends ${faults.length === 0 ? 'none lost, doubled, out of order or without its end; no number scanned again' : `${faults.length} faults`}; ${again} sends went out again under the same id; ${inSeconds(performance.now() - startMs)} s in all`,
  )
  tellMemory(world)
  for (const fault of all.slice(0, MOST_FAULTS_SHOWN)) console.log(`  ${fault}`)
  return all.length === 0
}

const world = await FleetWorld.open({ env: { ...DOUBTFUL, LOG_LEVEL: 'warn' } })
try {
  if (!(await run(world))) process.exitCode = 1
} finally {
  await world.stop()
}
