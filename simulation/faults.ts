import { ENGINES, isEngine, NODES, type Cluster } from './cluster.ts'
import { machineOf } from './machine.ts'
import type { Random } from './random.ts'

/** What befalls a cluster, at a time in ms from the start of the run and for so many ms. */
export type Fault = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly process: string; readonly forMs: number }
  | { readonly kind: 'roll'; readonly process: string; readonly forMs: number }
  | { readonly kind: 'freeze' | 'suspend'; readonly process: string; readonly forMs: number }
  | { readonly kind: 'cut'; readonly pair: readonly [string, string]; readonly forMs: number }
  | { readonly kind: 'loss' | 'echo'; readonly percent: number; readonly forMs: number }
  | { readonly kind: 'crash'; readonly forMs: number }
  | { readonly kind: 'skew'; readonly process: string; readonly byMs: number }
)

/** A clock goes ahead or behind by this many ms at most. */
export const MOST_SKEW_MS = 5_000
const FREEZES_MS = [500, 3_000, 8_000, 20_000] as const
const CUT_FROM_NODE = ['database', 'redis', 'first', 'second', 'media'] as const
const CUT_FROM_ENGINE = ['database', 'upstream'] as const
const PROCESSES: readonly string[] = [...NODES, ...ENGINES]

function oneFault(random: Random, atMs: number): Fault {
  const process = random.pick(PROCESSES)
  switch (random.between(0, 8)) {
    case 0:
      return { kind: 'kill', process, atMs, forMs: random.between(200, 20_000) }
    case 1:
      return { kind: 'roll', process, atMs, forMs: random.between(200, 5_000) }
    case 2:
      return { kind: 'freeze', process, atMs, forMs: random.pick(FREEZES_MS) }
    case 3:
      return {
        kind: 'cut',
        pair: [machineOf(process), random.pick(isEngine(process) ? CUT_FROM_ENGINE : CUT_FROM_NODE)],
        atMs,
        forMs: random.between(500, 20_000),
      }
    case 4:
      return { kind: 'loss', percent: random.between(1, 20), atMs, forMs: random.between(500, 10_000) }
    case 5:
      return { kind: 'echo', percent: random.between(10, 60), atMs, forMs: random.between(500, 10_000) }
    case 6:
      return { kind: 'suspend', process, atMs, forMs: random.pick(FREEZES_MS) }
    case 7:
      return { kind: 'crash', atMs, forMs: random.between(100, 4_000) }
    default:
      return { kind: 'skew', process, atMs, byMs: random.between(-MOST_SKEW_MS, MOST_SKEW_MS) }
  }
}

/** The faults of a seed, in order of time. */
export function faultsOf(random: Random, untilMs: number, count: number): Fault[] {
  return Array.from({ length: count }, () => oneFault(random, random.between(1_000, untilMs))).toSorted(
    (one, other) => one.atMs - other.atMs,
  )
}

/** A fault in one line. */
export function toldFault({ atMs, kind, ...rest }: Fault): string {
  return `${(atMs / 1_000).toFixed(1)} s: ${kind} ${Object.values(rest).flat().join(' ')}`
}

/** Has a fault befall the cluster now. */
export function befall(cluster: Cluster, fault: Fault): void {
  const { timeline, network, journal, database } = cluster
  journal.note('fault', toldFault(fault))
  switch (fault.kind) {
    case 'kill':
    case 'roll': {
      const process = cluster.process(fault.process)
      const again = () =>
        void timeline.after(
          fault.forMs,
          () => cluster.process(fault.process) === process && cluster.start(fault.process),
        )
      if (fault.kind === 'roll') return void process?.stop().then(again)
      process?.machine.kill()
      return again()
    }
    case 'freeze':
    case 'suspend': {
      const machine = cluster.process(fault.process)?.machine
      machine?.freeze({ isClockFrozen: fault.kind === 'suspend' })
      return void timeline.after(fault.forMs, () => machine?.thaw())
    }
    case 'cut':
      network.cut(...fault.pair)
      return void timeline.after(fault.forMs, () => network.heal(...fault.pair))
    case 'loss':
      network.lossPercent = fault.percent
      return void timeline.after(fault.forMs, () => {
        network.lossPercent = 0
      })
    case 'echo':
      network.echoPercent = fault.percent
      return void timeline.after(fault.forMs, () => {
        network.echoPercent = 0
      })
    case 'crash':
      database.machine.kill()
      return void timeline.after(fault.forMs, () => database.machine.revive())
    case 'skew': {
      const machine = cluster.process(fault.process)?.machine
      if (machine) machine.skewMs = fault.byMs
    }
  }
}
