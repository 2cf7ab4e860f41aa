import test from 'ava'
import { newId, type NumberId } from '../../src/domain/ids.ts'
import { StoreAway } from '../../src/domain/store-away.ts'
import { RowTenantFeed } from '../../src/live/feed.ts'
import type { TenantFeedReads } from '../../src/ports/stores/tenant-feed-store.ts'
import type { PlacedEvent, StandingNumber, TenantChange } from '../../src/ports/tenant-feed.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'

const TENANT = newId('ten')
const NUMBER = newId('num')
const STEP_MS = 50

/** Rows of one account that a test sets, and what was read of them. */
class Rows implements TenantFeedReads {
  readonly asked: string[] = []
  events: PlacedEvent[] = []
  number: StandingNumber = { id: NUMBER, tenantId: TENANT, state: 'CLOSE', isFullyConnected: false, calling: null }
  isAway = false

  async look(after: Parameters<TenantFeedReads['look']>[0], most: number) {
    this.#note('look')
    const place = after.get(TENANT) ?? null
    const behind = this.events.filter((one) => place !== null && Number(one.place.xid) >= Number(place.xid))
    return {
      horizon: { xid: String(this.events.length + 1), position: '0' },
      events: new Map([[TENANT, behind.slice(0, most)]]),
    }
  }

  async standing() {
    this.#note('standing')
    return { numbers: [this.number], calls: [] }
  }

  async numbersOf() {
    this.#note('numbersOf')
    return [this.number]
  }

  callsOf = async () => []
  between = async () => []

  /** Stores an event. */
  add(mark: number): void {
    this.events.push({
      place: { xid: String(this.events.length + 1), position: '1' },
      event: {
        id: newId('evt'),
        event: 'call.permission_updated',
        tenantId: TENANT,
        numberId: NUMBER,
        createdAt: new Date(0),
        data: { mark },
      },
    })
  }

  #note(what: string): void {
    if (this.isAway) throw new StoreAway('gone')
    this.asked.push(what)
  }
}

/** Moves time on, step by step, so that what each step began is done before the next. */
async function run(clock: FakeClock, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs >= 0; leftMs -= STEP_MS) {
    clock.advance(Math.min(leftMs, STEP_MS))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
}

async function opened(readers: number) {
  const [rows, clock] = [new Rows(), new FakeClock()]
  const feed = new RowTenantFeed({ reads: rows, clock, log: silentLog })
  const told: TenantChange[][] = Array.from({ length: readers }, () => [])
  const joining = told.map((changes) =>
    feed.join(TENANT, { changed: (change) => void changes.push(change), ended: () => {} }),
  )
  await run(clock, 0)
  const joined = await Promise.all(joining)
  const marks = (changes: readonly TenantChange[]) =>
    changes.flatMap((change) => (change.type === 'event' ? [change.event.data['mark']] : []))
  return { rows, clock, feed, told, joined, marks }
}

test('a hundred readers of an account cost one read a look, and each is told of every event once', async (t) => {
  const { rows, clock, feed, told, joined, marks } = await opened(100)
  t.deepEqual(rows.asked.splice(0), ['standing', 'look'])
  for (let mark = 0; mark < 20; mark++) {
    rows.add(mark)
    feed.wake()
  }
  await run(clock, 50)
  t.deepEqual(rows.asked, ['look'])
  const all = Array.from({ length: 20 }, (_, mark) => mark)
  for (const changes of told) t.deepEqual(marks(changes), all)
  for (const { leave } of joined) leave()
  rows.asked.length = 0
  await run(clock, 60_000)
  t.deepEqual(rows.asked, [], 'nobody listens, so nobody looks')
})

test('what other nodes did is found without a word from them: events within half a second, numbers within two', async (t) => {
  const { rows, clock, told, marks } = await opened(1)
  rows.add(1)
  rows.number = { ...rows.number, state: 'OPEN', isFullyConnected: true }
  await run(clock, 500)
  t.deepEqual(marks(told[0] ?? []), [1])
  await run(clock, 1_500)
  t.deepEqual(told[0]?.at(-1), { type: 'number', number: rows.number })
})

test('a number that moved is read at once, and told only where it stands otherwise', async (t) => {
  const { rows, clock, feed, told } = await opened(1)
  feed.numberMoved(NUMBER)
  await run(clock, 50)
  t.deepEqual(told[0], [])
  rows.number = { ...rows.number, state: 'CONNECTING' }
  feed.numberMoved(NUMBER as NumberId)
  await run(clock, 50)
  t.deepEqual(told[0], [{ type: 'number', number: rows.number }])
})

test('a database that is away loses nothing: once it is back all is told, and whoever came meanwhile is refused', async (t) => {
  const { rows, clock, feed, told, marks } = await opened(1)
  rows.isAway = true
  rows.add(1)
  rows.number = { ...rows.number, state: 'CONNECTING' }
  feed.numberMoved(NUMBER)
  const late = feed.join(TENANT, { changed: () => {}, ended: () => {} })
  await Promise.all([t.throwsAsync(late, { instanceOf: StoreAway }), run(clock, 1_000)])
  rows.isAway = false
  await run(clock, 500)
  t.deepEqual(marks(told[0] ?? []), [1])
  t.is(told[0]?.filter(({ type }) => type === 'number').length, 1)
})

test('a node that stops ends its readers, and takes no more', async (t) => {
  const { clock, feed } = await opened(1)
  let isEnded = false
  const joining = feed.join(TENANT, { changed: () => {}, ended: () => (isEnded = true) })
  await run(clock, 50)
  await joining
  feed.stop()
  t.true(isEnded)
  await t.throwsAsync(feed.join(TENANT, { changed: () => {}, ended: () => {} }), { instanceOf: StoreAway })
})
