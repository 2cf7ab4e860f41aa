import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import test from 'ava'
import { legPair, runSlots } from '../../helpers/audio-legs.ts'
import type { Teardown } from '../../helpers/audio-legs.ts'
import { toneSource } from '../../helpers/audio-signal.ts'
import { until } from '../../helpers/until.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** A scope whose teardowns run when it is closed, not at the end of the test. */
function scope(): Teardown & { close(): void } {
  const closers: (() => void)[] = []
  return { teardown: (close) => void closers.push(close), close: () => closers.forEach((close) => close()) }
}

async function cycle(): Promise<void> {
  const ending = scope()
  const pair = await legPair(ending)
  const tone = toneSource(16_000, 500)
  await runSlots(pair, 400, () => {
    pair.caller.leg.send({ kind: 'pcm', samples: tone(320), rateHz: 16_000 })
    return (pair.callee.leg.receive([16_000, 8_000])[0]?.[0] ?? 0) !== 0
  })
  ending.close()
}

async function cycles(count: number): Promise<number> {
  for (let done = 0; done < count; done += 10) await Promise.all(Array.from({ length: 10 }, cycle))
  await until('sockets are closed', () => !process.getActiveResourcesInfo().includes('UDPWrap'))
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

test('a hundred pairs of legs that talked and closed leave neither sockets nor memory behind', async (t) => {
  const before = await cycles(20)
  const after = await cycles(100)
  const growthBytes = after - before
  t.log(`${Math.round(growthBytes / 1_024)} KiB`)
  t.true(growthBytes < 8 * 1_024 * 1_024, `${growthBytes}`)
})
