import test from 'ava'
import { GOOD_NETWORK, Impairment, type NetworkFaults } from '../../../sandbox/devices/impairment.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

const PACKETS = 20_000

/** Random numbers that are the same in each run (the generator of Park and Miller). */
function seeded(): () => number {
  let seed = 1
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** Sends a packet every 20 ms through a network with these faults; gives their numbers as they came, and when. */
function through(faults: Partial<NetworkFaults>) {
  const clock = new FakeClock()
  const came: { readonly n: number; readonly lateMs: number }[] = []
  const network = new Impairment({
    random: seeded(),
    nowMs: () => clock.monotonicMs(),
    after: (ms, run) => void clock.after(ms, run),
  })
  network.set({ ...GOOD_NETWORK, ...faults })
  for (let n = 0; n < PACKETS; n++) {
    const sentMs = clock.monotonicMs()
    network.pass(() => void came.push({ n, lateMs: clock.monotonicMs() - sentMs }))
    clock.advance(20)
  }
  clock.advance(5_000)
  return came
}

/** The lengths of the runs of packets that did not come. */
function lostRuns(came: readonly { readonly n: number }[]): number[] {
  const there = new Set(came.map(({ n }) => n))
  const runs: number[] = []
  for (let n = 0, run = 0; n < PACKETS; n++) {
    if (there.has(n)) {
      if (run > 0) runs.push(run)
      run = 0
    } else run += 1
  }
  return runs
}

const isNear = (found: number, wanted: number) => Math.abs(found - wanted) <= wanted * 0.15

// [voice.statistics.2]
test('a network loses the share that it is told to, one by one or in bursts', (t) => {
  for (const [lossPercent, burst] of [
    [5, 1],
    [20, 1],
    [10, 3],
  ] as const) {
    const came = through({ lossPercent, burst })
    t.true(isNear(((PACKETS - came.length) * 100) / PACKETS, lossPercent), `${lossPercent} %`)
    const runs = lostRuns(came)
    t.true(burst === 1 ? runs.filter((run) => run === 1).length > runs.length / 2 : Math.min(...runs) === burst)
  }
  t.is(through({ lossPercent: 100 }).length, 0)
  t.is(through({}).length, PACKETS)
})

// [voice.statistics.2]
test('jitter makes packets late and keeps their order; reordering and repeating do what they say', (t) => {
  const late = through({ jitterMs: 80 })
  t.true(late.every(({ n }, at) => n === at))
  t.true(Math.max(...late.map(({ lateMs }) => lateMs)) > 60)
  t.true(late.every(({ lateMs }) => lateMs <= 80))
  const shuffled = through({ reorderPercent: 2 })
  const behind = shuffled.filter(({ n }, at) => n < (shuffled[at - 1]?.n ?? -1)).length
  t.true(isNear((behind * 100) / PACKETS, 2), `${behind} behind`)
  const twice = through({ duplicatePercent: 10 })
  t.true(isNear(((twice.length - PACKETS) * 100) / PACKETS, 10))
})
