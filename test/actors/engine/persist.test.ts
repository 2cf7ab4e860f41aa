import test from 'ava'
import { PATIENT_DELAYS_MS, persist, persisted } from '../../../actors/engine/persist.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import type { Log } from '../../../src/ports/log.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { silentLog } from '../../helpers/silent.ts'

/**
 * Persists to a store that fails `failures` times, each time after `tryMs`. Returns how long it took and the log lines.
 */
async function run(failures: number, error: Error, tryMs: number = 0, delaysMs: readonly number[] = [50, 250, 1_000]) {
  const clock = new FakeClock()
  const lines: string[] = []
  const log: Log = { ...silentLog, warn: (_, message) => void lines.push(message) }
  let tries = 0
  const done = persisted(
    { clock, log },
    'write',
    async () => {
      await new Promise<void>((resolve) => void clock.after(tryMs, resolve))
      if (tries++ < failures) throw error
      return 'written'
    },
    delaysMs,
  )
  const ended = done.then(() => true)
  const moment = (): Promise<boolean> => new Promise((resolve) => setImmediate(resolve, false))
  while (!(await Promise.race([ended, moment()]))) clock.advance(10)
  return { outcome: await done, tries, tookMs: clock.monotonicMs(), lines }
}

test('a store that fails is tried again after each pause', async (t) => {
  t.like(await run(3, new Error('down')), { outcome: { ok: true, value: 'written' }, tries: 4 })
  const failed = await run(9, new Error('down'))
  t.like(failed, { outcome: { ok: false, error: { code: 'INTERNAL' } }, tries: 4 })
  t.is(failed.lines.length, 4)
})

test('a database that is away is told to who asked, and not in the log once more', async (t) => {
  const { outcome, lines } = await run(9, new StoreAway('gone'))
  t.like(outcome, { ok: false, error: { code: 'UNAVAILABLE', retryAfterSeconds: 5 } })
  t.deepEqual(lines, [])
  t.is(
    await persist({ clock: new FakeClock(), log: silentLog }, 'write', () => Promise.reject(new StoreAway('gone')), []),
    null,
  )
})

test('tries that hang use up the time of the pauses, and one try more is made whatever they take', async (t) => {
  const once = await run(9, new StoreAway('late'), 5_000)
  t.is(once.tries, 2)
  const patient = await run(9, new StoreAway('late'), 2_000, PATIENT_DELAYS_MS)
  t.true(patient.tookMs < PATIENT_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) + 2 * 2_000, String(patient.tookMs))
  t.true(patient.tries > 2)
})
