import test from 'ava'
import { FakeClock } from '../../../../test/helpers/fake-clock.ts'
import { giveUpStrays } from '../../fleet/strays.ts'
import { createLog } from '../../process/log.ts'
import type { FleetSession } from '../../fleet/place.ts'

const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n++) await Promise.resolve()
}

// [engine-fleet.register.13]
test('an engine that gateways were not told of for 30 s gives up the numbers that have no gateway, and keeps the others', async (t) => {
  const clock = new FakeClock()
  const all: readonly FleetSession[] = [true, false].map((isAttached) => ({ outbox: { isAttached } }))
  const given: unknown[] = []
  let unknownMs = 0
  const stop = giveUpStrays({
    unknownMs: () => unknownMs,
    sessions: { all: () => all, handOver: async (one) => void given.push(one) },
    clock,
    log: createLog('silent', () => {}),
  })
  clock.advance(10_000)
  await turns()
  unknownMs = 29_999
  clock.advance(10_000)
  await turns()
  t.deepEqual(given, [])
  unknownMs = 30_000
  clock.advance(10_000)
  await turns()
  t.deepEqual(given, [all[1]])
  stop()
  clock.advance(60_000)
  await turns()
  t.is(given.length, 1)
})
