import test from 'ava'
import { RefusalError } from '../../../src/domain/errors.ts'
import { HeavyWork } from '../../../src/http/request/heavy-work.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

/** Work that takes `tookMs` of the clock and is recorded by name. The name begins with the caller. */
function rig(tookMs: number) {
  const clock = new FakeClock()
  const heavy = new HeavyWork(clock)
  const log: string[] = []
  const run = (name: string) =>
    heavy.run(name.charAt(0), () => {
      clock.advance(tookMs)
      log.push(`${name} at ${clock.monotonicMs()}`)
    })
  const rest = async (ms: number) => {
    for (let at = 0; at < ms; at += 10) {
      for (let i = 0; i < 10; i++) await Promise.resolve()
      clock.advance(10)
    }
  }
  return { run, rest, log }
}

test('heavy work takes turns, callers one after another, and leaves three times as long in between', async (t) => {
  const { run, rest, log } = rig(10)
  const all = ['a1', 'a2', 'a3', 'b1'].map(run)
  await rest(200)
  await Promise.all(all)
  t.deepEqual(log, ['a1 at 10', 'a2 at 50', 'b1 at 90', 'a3 at 130'])
})

test('more than 64 waiting of a caller are BUSY, others are not', async (t) => {
  const { run, rest, log } = rig(10)
  const all = Array.from({ length: 65 }, () => run('a'))
  const error = await t.throwsAsync(run('a'), { instanceOf: RefusalError })
  t.like(error?.refusal, { code: 'BUSY', retryAfterSeconds: 5 })
  const other = run('b')
  await rest(200)
  await other
  t.true(log.some((line) => line.startsWith('b')))
  await rest(3_000)
  await Promise.all(all)
})

test('work that throws rejects with it and lets the next in', async (t) => {
  const heavy = new HeavyWork(new FakeClock())
  await t.throwsAsync(
    heavy.run('a', () => {
      throw new Error('no JSON')
    }),
    { message: 'no JSON' },
  )
  t.is(await heavy.run('a', () => 7), 7)
})
