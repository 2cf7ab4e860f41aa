import test from 'ava'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { FULL_MS, PROBE_MS, PROBE_PAUSE_MS } from '../../../src/storage/engine/patience.ts'
import { Outage } from '../../../src/storage/engine/outage.ts'
import type { Log } from '../../../src/ports/log.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { silentLog } from '../../helpers/silent.ts'

type Answer = 'there' | 'gone' | 'hanging' | 'refusing'

function withCode(code: string): Error {
  return Object.assign(new Error('what the driver says'), { code })
}

/** An outage over a database that answers as the test says. */
function rig() {
  const clock = new FakeClock()
  const lines: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (_, message) => void lines.push(message),
    info: (_, message) => void lines.push(message),
  }
  const rigged = { clock, lines, answer: 'there' as Answer, probes: 0, cuts: 0 }
  const probe = async (): Promise<void> => {
    rigged.probes++
    if (rigged.answer === 'gone') throw withCode('ECONNREFUSED')
    if (rigged.answer === 'refusing') throw withCode('53300')
    if (rigged.answer === 'hanging') await new Promise(() => {})
  }
  return Object.assign(rigged, { outage: new Outage({ clock, log, probe, cut: () => void rigged.cuts++ }) })
}

/** Lets promises settle. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const isGone = { instanceOf: StoreAway, message: /cannot be reached/ }

test('one broken connection fails only its own requests', async (t) => {
  const r = rig()
  await t.throwsAsync(
    r.outage.guard(() => Promise.reject(withCode('ECONNRESET')), null),
    isGone,
  )
  await settled()
  t.false(r.outage.isAway)
  t.is(await r.outage.guard(async () => 7, null), 7)
  t.deepEqual([r.lines, r.probes, r.cuts], [[], 1, 0])
})

test('a database that is gone is asked once for all, told of once, and refused at once until it is back', async (t) => {
  const r = rig()
  r.answer = 'gone'
  const waiting = r.outage.guard(() => new Promise(() => {}), null)
  await Promise.all(
    Array.from({ length: 20 }, () =>
      t.throwsAsync(
        r.outage.guard(() => Promise.reject(withCode('ECONNREFUSED')), null),
        isGone,
      ),
    ),
  )
  await t.throwsAsync(waiting, isGone, 'what waits is refused too')
  t.deepEqual([r.outage.isAway, r.probes, r.cuts, r.lines.length], [true, 1, 1, 1])
  await t.throwsAsync(
    r.outage.guard(() => Promise.reject(new Error('must not be run')), null),
    isGone,
  )
  r.clock.advance(PROBE_PAUSE_MS)
  await settled()
  r.answer = 'there'
  t.true(r.outage.isAway)
  r.clock.advance(PROBE_PAUSE_MS)
  await settled()
  t.false(r.outage.isAway)
  t.is(await r.outage.guard(async () => 7, null), 7)
  t.deepEqual(r.lines, ['the database is away; requests are answered 503 until it is back', 'the database is back'])
})

test('a database that hangs is away once it did not say within 2 s that it is there', async (t) => {
  const r = rig()
  r.answer = 'hanging'
  const late = t.throwsAsync(
    r.outage.guard(() => new Promise(() => {}), 9_000),
    { instanceOf: StoreAway, message: /does not answer/ },
  )
  r.clock.advance(9_000)
  await late
  t.false(r.outage.isAway)
  r.clock.advance(PROBE_MS)
  await settled()
  t.true(r.outage.isAway)
  r.clock.advance(PROBE_PAUSE_MS)
  r.clock.advance(PROBE_MS)
  await settled()
  r.answer = 'there'
  r.clock.advance(PROBE_PAUSE_MS)
  await settled()
  t.false(r.outage.isAway)
})

test('a server without a free connection is crowded, not away', async (t) => {
  const r = rig()
  r.answer = 'refusing'
  await t.throwsAsync(
    r.outage.guard(() => Promise.reject(withCode('53300')), null),
    { instanceOf: StoreAway, message: /no connection free/ },
  )
  await settled()
  t.false(r.outage.isAway)
})

test('a slow statement and a full disk are told of, and keep nothing else out', async (t) => {
  const r = rig()
  await t.throwsAsync(
    r.outage.guard(() => Promise.reject(withCode('57014')), null),
    { instanceOf: StoreAway, message: /too long/ },
  )
  for (let i = 0; i < 3; i++)
    await t.throwsAsync(
      r.outage.guard(() => Promise.reject(withCode('53100')), null),
      { instanceOf: StoreAway, message: /disk is full/ },
    )
  await settled()
  t.deepEqual([r.probes, r.outage.isAway, r.outage.isFull], [0, false, true])
  t.deepEqual(r.lines, ['the disk of the database is full; writes are answered 503 until there is room'])
  r.clock.advance(FULL_MS)
  t.false(r.outage.isFull)
})

test('faults of statements pass as they are', async (t) => {
  const r = rig()
  const fault = withCode('23505')
  t.is(await t.throwsAsync(r.outage.guard(() => Promise.reject(fault), null)), fault)
  t.is(r.probes, 0)
})

test('a closed database asks nothing any more', async (t) => {
  const r = rig()
  r.answer = 'gone'
  await t.throwsAsync(
    r.outage.guard(() => Promise.reject(withCode('ECONNREFUSED')), null),
    isGone,
  )
  await settled()
  r.outage.stop()
  r.clock.advance(60_000)
  await settled()
  t.is(r.probes, 1)
})
