import { keepImmediates } from './idle.ts'
import { isLive } from '../src/domain/call.ts'
import type { NumberId } from '../src/domain/ids.ts'
import { replaceRandomness } from '../src/domain/randomness.ts'
import { CHECKERS } from './checkers/all.ts'
import { runOf } from './checkers/checker.ts'
import { watchOwners } from './checkers/owners.ts'
import { Cluster, ENGINES, NODES } from './cluster.ts'
import { befall, faultsOf, MOST_SKEW_MS, type Fault } from './faults.ts'
import { Journal } from './journal.ts'
import { BEGINNING_MS, Machine } from './machine.ts'
import { Random } from './random.ts'
import type { Accepted } from './seen.ts'
import { Timeline } from './timeline.ts'
import { Workload } from './workload.ts'

/** How a run is laid out. */
export interface Plan {
  readonly seed: number
  /** How long clients and people go on, in simulated ms. */
  readonly busyMs: number
  readonly numbers: number
  /** What befalls the cluster; null for what the seed gives. */
  readonly faults: readonly Fault[] | null
  /** Whether nothing fails at all, so that nothing may wait either. */
  readonly isCalm: boolean
}

export interface Outcome {
  readonly faults: readonly Fault[]
  /** The promises that were broken, each with a sentence. */
  readonly broken: readonly string[]
  readonly lines: readonly string[]
  /** SHA-256 of the lines, in hex. */
  readonly hash: string
  readonly simulatedMs: number
}

/** Every tenth seed is calm. */
const CALM_SEEDS = 10

/** A short run: what `npm test` has hundreds of. */
export function shortPlan(seed: number): Plan {
  const isCalm = seed % CALM_SEEDS === 0
  return { seed, busyMs: 30_000, numbers: 3, faults: isCalm ? [] : null, isCalm }
}

/** Every minute of a busy time has about so many faults. */
const FAULTS_A_MINUTE = 10
/** After the last fault everything has this long to come to rest, in ms: retries wait up to minutes. */
const REST_MS = 600_000
/** In ms: what the official platform is asked again after five tries that failed waits for 15 minutes. */
const UNLUCKY_MS = 1_200_000
/** It comes to rest no sooner than this after the last fault, in ms: so long takes a takeover. */
const CALM_MS = 30_000

/** Breaks something of a cluster before it starts, to see whether the checkers notice. */
export type Spoil = (cluster: Cluster) => void

/** Runs a plan. The same plan gives the same outcome, line for line. */
export async function simulate(plan: Plan, spoil: Spoil = () => {}): Promise<Outcome> {
  keepImmediates()
  const random = new Random(plan.seed)
  const timeline = new Timeline()
  const source = random.branch()
  const before = replaceRandomness({
    bytes: (count) => source.bytes(count),
    fraction: () => source.fraction(),
    nowMs: () => BEGINNING_MS + timeline.nowMs,
  })
  try {
    return await run(plan, spoil, random, timeline)
  } finally {
    replaceRandomness(before)
  }
}

async function run(plan: Plan, spoil: Spoil, random: Random, timeline: Timeline): Promise<Outcome> {
  const journal = new Journal(timeline)
  const cluster = new Cluster(timeline, random.branch(), journal, plan.numbers)
  if (plan.isCalm) cluster.calm()
  spoil(cluster)
  const overlaps = watchOwners(cluster)
  const count = Math.ceil((plan.busyMs / 60_000) * FAULTS_A_MINUTE)
  // They are drawn even where the plan has its own, so that the workload of a seed stays the same.
  const drawn = faultsOf(random.branch(), plan.busyMs, count)
  const faults = plan.faults ?? drawn
  for (const node of [...NODES, ...ENGINES]) cluster.start(node)
  for (const fault of faults) timeline.after(fault.atMs, () => befall(cluster, fault))
  const workload = new Workload(cluster, random.branch(), new Machine('client', timeline))
  workload.begin(plan.busyMs)
  await timeline.run(plan.busyMs)
  // An endpoint that goes on failing would be tried again after hours.
  cluster.receivers.troublePercent = 0
  const calmMs =
    Math.max(0, ...faults.map(({ atMs, ...fault }) => atMs + ('forMs' in fault ? fault.forMs : 0))) + CALM_MS
  const isAtRest = () => timeline.nowMs >= calmMs && workload.isOver && atRest(cluster, workload)
  await timeline.run(plan.busyMs + REST_MS, isAtRest)
  if (!isAtRest()) {
    cluster.platform.calm()
    await timeline.run(timeline.nowMs + UNLUCKY_MS, isAtRest)
  }
  if (cluster.platform.hasLate) {
    // A node whose clock is behind takes what it lists for older than the latest news of another.
    await timeline.run(timeline.nowMs + 2 * MOST_SKEW_MS)
    void workload.accounts.sync()
    await timeline.run(timeline.nowMs + REST_MS, () => workload.isOver)
  }
  const found = Object.entries(CHECKERS).flatMap(([promise, check]) =>
    check(runOf(cluster, workload, plan.isCalm)).map((what) => `${promise}: ${what}`),
  )
  const broken = [...overlaps.map((what) => `a number has one owner: ${what}`), ...found]
  for (const gateway of cluster.gateways.values()) gateway.machine.kill()
  for (const runtime of cluster.runtimes) runtime.forget()
  return { faults, broken, lines: journal.lines, hash: journal.digest(), simulatedMs: timeline.nowMs }
}

/** Whether nothing waits any more: every message ended, and everything that upstream told is settled. */
function atRest(cluster: Cluster, { accepted, removed }: Workload): boolean {
  const { database, upstream, media, platform } = cluster
  const isWaiting = ({ messageId }: Accepted) => database.messages.queued.get(messageId)?.status === 'QUEUED'
  const isTalking = media.legs.size > 0 || [...database.rows.calls.values()].some(({ status }) => isLive(status))
  const { account } = database
  const isInDoubt = [...account.templates(), ...account.flows()].some(({ ask }) => ask !== null)
  const gone = new Set(removed.map(({ numberId }) => numberId))
  // A number may be on its way to another node.
  const isServed = (numberId: NumberId) =>
    database.rows.numbers.get(numberId)?.state === 'OPEN' && upstream.device(numberId).socket?.isServed === true
  const isQuiet = upstream.isQuiet && platform.isQuiet && cluster.numbers.every((id) => gone.has(id) || isServed(id))
  return isQuiet && !isInDoubt && !isTalking && database.deliveries.isEmpty && !accepted.some(isWaiting)
}
