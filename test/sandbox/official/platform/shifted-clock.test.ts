import test from 'ava'
import { ShiftedClock } from '../../../../sandbox/official/platform/shifted-clock.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'

test('moving time forward fires what falls due, in order, each at its own time', (t) => {
  const base = new FakeClock()
  const clock = new ShiftedClock(base)
  const startMs = clock.now()
  const fired: [string, number][] = []
  clock.after(3_000, () => fired.push(['late', clock.now() - startMs]))
  clock.after(1_000, () => {
    fired.push(['early', clock.now() - startMs])
    clock.after(500, () => fired.push(['follow-up', clock.now() - startMs]))
  })
  clock.after(9_000, () => fired.push(['waiting', clock.now() - startMs]))
  clock.advance(5_000)
  t.deepEqual(fired, [
    ['early', 1_000],
    ['follow-up', 1_500],
    ['late', 3_000],
  ])
  t.is(clock.now() - startMs, 5_000)
  base.advance(3_999)
  t.is(fired.length, 3)
  base.advance(1)
  t.deepEqual(fired[3], ['waiting', 9_000])
})

test('a cancelled timer does not fire, nor one of before a reset', (t) => {
  const base = new FakeClock()
  const clock = new ShiftedClock(base)
  let fired = 0
  clock.after(1_000, () => fired++).cancel()
  clock.after(1_000, () => fired++)
  clock.advance(500)
  clock.reset()
  t.is(clock.now(), base.now())
  clock.advance(5_000)
  base.advance(5_000)
  t.is(fired, 0)
})
