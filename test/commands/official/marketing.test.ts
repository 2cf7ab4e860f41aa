import test from 'ava'
import { LocalBroadcast } from '../../../src/cluster/local.ts'
import { createMarketing } from '../../../src/commands/official/marketing.ts'
import { newId, type NumberId, type TenantId } from '../../../src/domain/ids.ts'
import type { MarketingFacts, MarketingStore } from '../../../src/ports/stores/marketing-store.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { silentLog } from '../../helpers/silent.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ACCOUNT = { tenantId: 'tnt_a' as TenantId, accountId: '2002' }

/** One account in memory, with the statements that were asked of it. */
class OneAccount implements MarketingStore {
  readonly asked: string[] = []
  facts: MarketingFacts = { account: ACCOUNT, way: 'auto', isOpen: false, askAt: null }
  isAway = false
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  #ask(name: string): void {
    this.asked.push(name)
    if (this.isAway) throw new Error('the store is away')
  }

  async read() {
    this.#ask('read')
    return this.facts
  }

  async take(_: unknown, leaseMs: number) {
    this.#ask('take')
    const { askAt } = this.facts
    if (askAt !== null && askAt.getTime() > this.#clock.now()) return null
    const lease = new Date(this.#clock.now() + leaseMs)
    this.facts = { ...this.facts, askAt: lease }
    return lease
  }

  async answered(_: unknown, lease: Date, isOpen: boolean, nextMs: number) {
    this.#ask('answered')
    if (this.facts.askAt?.getTime() !== lease.getTime()) return
    this.facts = { ...this.facts, isOpen, askAt: new Date(this.#clock.now() + nextMs) }
  }

  async shut() {
    this.#ask('shut')
    this.facts = { ...this.facts, isOpen: false }
  }

  async askAnew() {
    this.#ask('askAnew')
    this.facts = { ...this.facts, askAt: null }
  }
}

/** A door over one account with two numbers. Upstream answers with what `answer` is, and `questions` counts. */
function open() {
  const clock = new FakeClock()
  const store = new OneAccount(clock)
  const door = createMarketing({ marketing: store, broadcast: new LocalBroadcast(silentLog), clock, log: silentLog })
  const upstream: { answer: boolean | null; questions: number } = { answer: true, questions: 0 }
  const ask = async () => {
    upstream.questions++
    return upstream.answer
  }
  const numbers: readonly [NumberId, NumberId] = [newId('num'), newId('num')]
  const isOpen = (at: 0 | 1 = 0) => door.isOpen(numbers[at], ask)
  return { clock, store, door, upstream, numbers, isOpen }
}

// [message-verbs.delivery.4]
test('upstream is asked once a day for an account, however many messages and numbers it has', async (t) => {
  const { clock, upstream, isOpen } = open()
  t.deepEqual(await Promise.all([isOpen(0), isOpen(0), isOpen(1), isOpen(1)]), [true, true, true, true])
  clock.advance(DAY_MS - 1)
  t.deepEqual([await isOpen(0), await isOpen(1)], [true, true])
  t.is(upstream.questions, 1)
  upstream.answer = false
  clock.advance(1)
  t.deepEqual([await isOpen(0), await isOpen(1)], [false, false])
  t.is(upstream.questions, 2)
})

// [message-verbs.delivery.4]
test('a number that comes while its account is asked for waits for that answer', async (t) => {
  const { door, numbers, isOpen } = open()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<boolean>()
  const first = door.isOpen(numbers[0], () => {
    asked.resolve()
    return answer.promise
  })
  await asked.promise
  const second = isOpen(1)
  setImmediate(() => answer.resolve(true))
  t.deepEqual(await Promise.all([first, second]), [true, true])
})

// [message-verbs.delivery.4]
test('a campaign reads what decides once in a while, not for each message', async (t) => {
  const { store, isOpen } = open()
  await isOpen()
  store.asked.length = 0
  for (let sent = 0; sent < 50; sent++) t.true(await isOpen())
  t.deepEqual(store.asked, ['read'])
})

// [message-verbs.delivery.4]
test('without an answer templates go as all messages, and upstream is asked again after an hour', async (t) => {
  const { clock, upstream, isOpen } = open()
  upstream.answer = null
  t.false(await isOpen())
  upstream.answer = true
  clock.advance(HOUR_MS - 1)
  t.false(await isOpen())
  t.is(upstream.questions, 1)
  clock.advance(1)
  t.true(await isOpen())
  t.is(upstream.questions, 2)
})

// [message-verbs.delivery.4]
test('while another node asks, templates go by what was known before', async (t) => {
  const { clock, store, upstream, isOpen } = open()
  t.true(await isOpen())
  clock.advance(DAY_MS - 1_000)
  t.true(await isOpen(), 'it is read again, and remembered')
  clock.advance(1_000)
  await store.take(null, 60_000)
  t.true(await isOpen())
  t.deepEqual(store.asked.slice(-2), ['take', 'read'])
  t.true(await isOpen())
  t.deepEqual(store.asked.slice(-2), ['take', 'read'], 'what was read since is remembered')
  t.is(upstream.questions, 1)
})

// [message-verbs.delivery.2]
test('a number whose way is that of all messages asks nothing, and a change of it counts at once', async (t) => {
  const { store, door, upstream, numbers, isOpen } = open()
  store.facts = { ...store.facts, way: 'messages' }
  t.false(await isOpen())
  t.is(upstream.questions, 0)
  store.facts = { ...store.facts, way: 'auto' }
  t.false(await isOpen(), 'as it was a moment ago')
  await door.chosen(numbers[0])
  t.true(await isOpen())
})

// [message-verbs.delivery.5]
test('an account that was refused stays out for all its numbers until the next question', async (t) => {
  const { clock, door, upstream, numbers, isOpen } = open()
  t.deepEqual([await isOpen(0), await isOpen(1)], [true, true])
  clock.advance(HOUR_MS)
  await door.refused(numbers[0])
  t.deepEqual([await isOpen(0), await isOpen(1)], [false, false])
  clock.advance(DAY_MS - HOUR_MS)
  t.true(await isOpen(1))
  t.is(upstream.questions, 2)
})

// [message-verbs.delivery.6]
test('terms that were signed have upstream asked anew', async (t) => {
  const { door, upstream, isOpen } = open()
  upstream.answer = false
  t.false(await isOpen())
  upstream.answer = true
  await door.signed(ACCOUNT)
  t.true(await isOpen())
  t.is(upstream.questions, 2)
})

// [message-verbs.delivery.4]
test('a store that is away keeps no message back: it goes as all messages', async (t) => {
  const { store, door, upstream, numbers, isOpen } = open()
  store.isAway = true
  t.false(await isOpen())
  await t.notThrowsAsync(door.refused(numbers[0]))
  t.is(upstream.questions, 0)
  store.isAway = false
  t.true(await isOpen())
})
