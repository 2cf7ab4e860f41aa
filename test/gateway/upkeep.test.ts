import test from 'ava'
import { createUpkeep, type Chore } from '../../src/gateway/upkeep.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Labels, Metrics } from '../../src/ports/metrics.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A loop over a clock that the test moves, by default without jitter. */
class Rig {
  readonly clock = new FakeClock()
  readonly logged: object[] = []
  readonly counted: Labels[] = []
  readonly seconds: number[] = []
  readonly upkeep
  #random = 0

  constructor() {
    const log: Log = { ...silentLog, error: (fields) => void this.logged.push(fields) }
    const metrics: Metrics = {
      ...noMetrics,
      counter: () => ({ add: (labels = {}) => void this.counted.push(labels) }),
      histogram: () => ({ observe: (seconds) => void this.seconds.push(seconds) }),
    }
    this.upkeep = createUpkeep({ clock: this.clock, log, metrics, random: () => this.#random })
  }

  jitter(random: number): void {
    this.#random = random
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    await settled()
  }
}

/** A chore that counts its runs and returns the scripted answers, then `undefined`. */
function counting(name: string, more: Partial<Chore> = {}, answers: unknown[] = []): Chore & { runs: number } {
  return {
    name,
    everyMs: 1000,
    runs: 0,
    async run() {
      this.runs++
      return answers.shift()
    },
    ...more,
  }
}

/** A chore whose runs last until the test ends them. */
function holding(): { readonly chore: Chore; readonly begun: (() => void)[] } {
  const begun: (() => void)[] = []
  return {
    begun,
    chore: { name: 'hold', everyMs: 1000, run: () => new Promise<void>((resolve) => begun.push(resolve)) },
  }
}

test('a chore has its turns after its time, each counted and measured', async (t) => {
  const rig = new Rig()
  const chore = counting('look')
  rig.upkeep.add(chore)
  await rig.pass(5000)
  t.is(chore.runs, 0, 'before the start')
  rig.upkeep.start()
  await rig.pass(999)
  t.is(chore.runs, 0)
  await rig.pass(1)
  t.is(chore.runs, 1)
  await rig.pass(1000)
  t.is(chore.runs, 2)
  t.deepEqual(rig.counted, [
    { chore: 'look', outcome: 'ok' },
    { chore: 'look', outcome: 'ok' },
  ])
  t.is(rig.seconds.length, 2)
})

test('a chore that is due at the start has its first turn at once, and so has one added later', async (t) => {
  const rig = new Rig()
  const early = counting('early', { isDueAtStart: true })
  const late = counting('late', { isDueAtStart: true })
  rig.upkeep.add(early)
  rig.upkeep.start()
  rig.upkeep.add(late)
  await settled()
  t.deepEqual([early.runs, late.runs], [1, 1])
  await rig.pass(1000)
  t.deepEqual([early.runs, late.runs], [2, 2])
})

test('turns come up to a tenth early, never late', async (t) => {
  const rig = new Rig()
  rig.jitter(0.999)
  const chore = counting('drift')
  rig.upkeep.add(chore)
  rig.upkeep.start()
  await rig.pass(900)
  t.is(chore.runs, 0)
  await rig.pass(1)
  t.is(chore.runs, 1)
})

test('a chore with more to do goes on at once, and then waits again', async (t) => {
  const rig = new Rig()
  const chore = counting('batch', {}, [true, true, 7])
  rig.upkeep.add(chore)
  rig.upkeep.start()
  await rig.pass(1000)
  t.is(chore.runs, 3)
  await rig.pass(1000)
  t.is(chore.runs, 4)
})

test('a failing chore is logged and counted, waits for its next turn and keeps no other from its own', async (t) => {
  const rig = new Rig()
  const failing: Chore = {
    name: 'fail',
    everyMs: 1000,
    run: async () => {
      throw new Error('no such table')
    },
  }
  const throwing: Chore = {
    name: 'throw',
    everyMs: 1000,
    run: () => {
      throw new Error('not even a promise')
    },
  }
  const sound = counting('sound')
  for (const chore of [failing, throwing, sound]) rig.upkeep.add(chore)
  rig.upkeep.start()
  await rig.pass(1000)
  t.deepEqual(rig.logged.map((fields) => JSON.stringify(fields)).toSorted(), [
    '{"chore":"fail","error":"Error: no such table"}',
    '{"chore":"throw","error":"Error: not even a promise"}',
  ])
  await rig.pass(1000)
  t.is(rig.logged.length, 4)
  t.is(sound.runs, 2)
  t.deepEqual(
    rig.counted.filter(({ chore }) => chore === 'fail'),
    [
      { chore: 'fail', outcome: 'failed' },
      { chore: 'fail', outcome: 'failed' },
    ],
  )
})

test('a turn that lasts keeps the next one waiting, and one that is woken meanwhile follows it', async (t) => {
  const rig = new Rig()
  const { chore, begun } = holding()
  const handle = rig.upkeep.add(chore)
  rig.upkeep.start()
  await rig.pass(5000)
  t.is(begun.length, 1)
  handle.wake()
  handle.wake()
  await settled()
  t.is(begun.length, 1, 'one at a time')
  begun[0]?.()
  await settled()
  t.is(begun.length, 2)
  begun[1]?.()
  await settled()
  t.is(begun.length, 2, 'woken twice is woken once')
  await rig.pass(1000)
  t.is(begun.length, 3)
})

test('a chore that is woken has a turn now, and its time begins again', async (t) => {
  const rig = new Rig()
  const chore = counting('wake')
  const handle = rig.upkeep.add(chore)
  handle.wake()
  await settled()
  t.is(chore.runs, 0, 'the start comes first')
  rig.upkeep.start()
  await settled()
  t.is(chore.runs, 1)
  await rig.pass(600)
  handle.wake()
  await settled()
  t.is(chore.runs, 2)
  await rig.pass(999)
  t.is(chore.runs, 2)
  await rig.pass(1)
  t.is(chore.runs, 3)
})

test('a chore that wakes itself has another turn after this one', async (t) => {
  const rig = new Rig()
  const running: number[] = []
  let runs = 0
  const handle = rig.upkeep.add({
    name: 'self',
    everyMs: 1000,
    async run() {
      running.push(1)
      if (++runs === 1) handle.wake()
      await new Promise<void>((resolve) => setImmediate(resolve))
      t.is(running.length, 1)
      running.pop()
    },
  })
  rig.upkeep.start()
  await rig.pass(1000)
  t.is(runs, 2)
})

test('stop waits for the runs under way and lets none begin after them', async (t) => {
  const rig = new Rig()
  const { chore, begun } = holding()
  const handle = rig.upkeep.add(chore)
  const idle = counting('idle', { everyMs: 3000 })
  rig.upkeep.add(idle)
  rig.upkeep.start()
  await rig.pass(1000)
  handle.wake()
  let isStopped = false
  const stopped = rig.upkeep.stop().then(() => {
    isStopped = true
  })
  await settled()
  t.false(isStopped)
  begun[0]?.()
  await stopped
  await rig.upkeep.stop()
  handle.wake()
  await rig.pass(10_000)
  t.is(begun.length, 1)
  t.is(idle.runs, 0)
})

test('two chores of one name are a mistake', (t) => {
  const rig = new Rig()
  rig.upkeep.add(counting('one'))
  t.throws(() => rig.upkeep.add(counting('one')), { message: 'there are two chores one' })
})

test('a chore that is shared comes as many times less often as there are nodes, the others as often as ever', async (t) => {
  const rig = new Rig()
  const turns = { shared: 0, own: 0 }
  rig.upkeep.add({ name: 'shared', everyMs: 1_000, isShared: true, run: async () => void turns.shared++ })
  rig.upkeep.add({ name: 'own', everyMs: 1_000, run: async () => void turns.own++ })
  let nodes = 3
  rig.upkeep.sharedBy(() => nodes)
  rig.upkeep.start()
  for (let second = 0; second < 6; second++) await rig.pass(1_000)
  t.deepEqual(turns, { shared: 2, own: 6 })
  nodes = 0
  for (let second = 0; second < 4; second++) await rig.pass(1_000)
  t.is(turns.shared, 4)
  await rig.upkeep.stop()
})

test('a chore has its turn, at its own pace, when the look over all tables finds work for it, and costs nothing otherwise', async (t) => {
  const rig = new Rig()
  const due = new Set<string>()
  let looks = 0
  rig.upkeep.looksBy(async () => {
    looks++
    return due
  })
  const quick = counting('quick', { due: 'letters' })
  const slow = counting('slow', { due: 'letters', everyMs: 3000 })
  const other = counting('other', { due: 'parcels' })
  for (const chore of [quick, slow, other]) rig.upkeep.add(chore)
  rig.upkeep.start()
  for (let second = 0; second < 5; second++) await rig.pass(1000)
  t.deepEqual([looks, quick.runs, slow.runs, other.runs], [5, 0, 0, 0])
  due.add('letters')
  for (let second = 0; second < 6; second++) await rig.pass(1000)
  t.deepEqual([looks, quick.runs, slow.runs, other.runs], [11, 6, 2, 0])
})

test('a chore that the look misses still has a turn every five minutes, and at once when it is woken', async (t) => {
  const rig = new Rig()
  rig.upkeep.looksBy(async () => new Set())
  const chore = counting('overlooked', { due: 'letters' })
  const handle = rig.upkeep.add(chore)
  rig.upkeep.start()
  await rig.pass(299_999)
  t.is(chore.runs, 0)
  await rig.pass(1)
  t.is(chore.runs, 1)
  handle.wake()
  await settled()
  t.is(chore.runs, 2)
})

test('nodes look in turns: of three each looks a third as often, and a look that fails is tried again', async (t) => {
  const rig = new Rig()
  let looks = 0
  rig.upkeep.sharedBy(() => 3)
  rig.upkeep.looksBy(async () => {
    looks++
    if (looks === 1) throw new Error('away')
    return new Set(['letters'])
  })
  const chore = counting('letters', { due: 'letters' })
  rig.upkeep.add(chore)
  rig.upkeep.start()
  for (let second = 0; second < 9; second++) await rig.pass(1000)
  t.deepEqual([looks, chore.runs], [3, 2])
})
