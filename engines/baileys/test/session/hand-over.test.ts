import test from 'ava'
import { FakeClock } from '../../../../test/helpers/fake-clock.ts'
import { createLog } from '../../process/log.ts'
import { handOverAll, paceMs } from '../../session/hand-over.ts'
import type { NumberSession } from '../../session/number-session.ts'
import type { Sessions } from '../../session/sessions.ts'

const DRAIN_MS = 30_000
/** As long as the network may take to close a socket. */
const CLOSE_MS = 1_000

interface Asked {
  readonly numberId: string
  readonly atMs: number
}

/** Sessions whose hand-over ends as `close` says. */
class SlowSessions {
  readonly clock = new FakeClock()
  readonly asked: Asked[] = []
  running = 0
  highest = 0
  ended = 0
  readonly #all: NumberSession[]
  readonly #close: (numberId: string) => Promise<void>

  constructor(waiting: readonly number[], close?: (numberId: string) => Promise<void>) {
    const log = createLog('error', () => {})
    this.#close = close ?? (() => new Promise((resolve) => this.clock.after(CLOSE_MS, resolve)))
    this.#all = waiting.map(
      (events, place) =>
        ({ numberId: `num_${place}`, log, store: { events: { waiting: events } } }) as unknown as NumberSession,
    )
  }

  /** Hands all over, and resolves to the ms that it took. */
  async handAllOver(): Promise<number> {
    const took = { ms: null as number | null }
    const sessions = {
      drain: () => {},
      all: () => this.#all,
      count: this.#all.length,
      handOver: (session: NumberSession) => this.#handOver(session),
    } as unknown as Sessions
    const all = handOverAll(sessions, DRAIN_MS, this.clock).then(() => (took.ms = this.clock.monotonicMs()))
    while (took.ms === null) {
      await new Promise((resolve) => setImmediate(resolve))
      this.clock.advance(5)
    }
    return await all
  }

  async #handOver({ numberId }: NumberSession): Promise<void> {
    this.asked.push({ numberId, atMs: this.clock.monotonicMs() })
    this.highest = Math.max(this.highest, ++this.running)
    await this.#close(numberId).finally(() => this.running--)
    this.ended++
  }
}

const idle = (count: number): number[] => Array.from({ length: count }, () => 0)

test('400 numbers whose sockets the network closes slowly are all handed over within the time', async (t) => {
  const sessions = new SlowSessions(idle(400))
  const tookMs = await sessions.handAllOver()
  t.is(sessions.ended, 400)
  t.true(tookMs < DRAIN_MS, `took ${tookMs} ms`)
  t.is(sessions.highest, 20)
})

test('hand-overs begin one after the other, idle numbers first', async (t) => {
  const sessions = new SlowSessions([2, 0, 1, 0])
  await sessions.handAllOver()
  t.deepEqual(
    sessions.asked.map(({ numberId }) => numberId),
    ['num_1', 'num_3', 'num_2', 'num_0'],
  )
  t.deepEqual(
    sessions.asked.map(({ atMs }) => atMs),
    [0, 25, 50, 75],
  )
})

test('they are spread over four fifths of the time when there are many', (t) => {
  t.is(paceMs(2_000, DRAIN_MS), 12)
  t.is(paceMs(100, DRAIN_MS), 25)
  t.is(paceMs(0, DRAIN_MS), 0)
})

test('a number that cannot be handed over holds up no other', async (t) => {
  const sessions = new SlowSessions(idle(3), async (numberId) => {
    if (numberId === 'num_0') throw new Error('the store is away')
  })
  await sessions.handAllOver()
  t.is(sessions.ended, 2)
})

test('hand-overs that hang are given up when the time is over', async (t) => {
  const sessions = new SlowSessions(idle(50), () => new Promise(() => {}))
  const tookMs = await sessions.handAllOver()
  t.true(tookMs >= DRAIN_MS && tookMs < DRAIN_MS + 100, `took ${tookMs} ms`)
  t.is(sessions.asked.length, 20)
})
