import test from 'ava'
import { askOnceOpen } from '../../../actors/hosting/once-open.ts'
import { fail, refuse, type Outcome } from '../../../src/domain/errors.ts'
import type { NumberStore } from '../../../src/ports/stores/number-store.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { settled } from '../rig.ts'

const UNCONNECTED = fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected'))

/** Asks a number whose session is not open, on a node that has run for ten minutes. Returns the outcome within 6 s. */
async function asked(
  numberHeldMs: number | null,
  load: NumberStore['load'],
): Promise<Outcome<unknown> | null | undefined> {
  const clock = new FakeClock()
  clock.advance(600_000)
  const sinceMs = numberHeldMs === null ? null : clock.monotonicMs() - numberHeldMs
  let outcome: Outcome<unknown> | null | undefined
  void askOnceOpen(
    { clock, numbers: { load }, hosting: { heldSinceMs: () => sinceMs }, endsMs: clock.monotonicMs() + 20_000 },
    'num_1',
    async () => UNCONNECTED,
  ).then((answer) => {
    outcome = answer
  })
  for (let ms = 0; ms < 6_000; ms += 50) {
    await settled(2)
    clock.advance(50)
  }
  return outcome
}

function paired(): NumberStore['load'] {
  const rows = new MemoryRows()
  const number = rows.numbers.get(rows.addNumber({ credentials: 'secret', state: 'OPEN' })) ?? null
  return async () => number
}

test('a number that leaves as it is asked is asked of its next owner, however long this node has run', async (t) => {
  t.is(await asked(null, paired()), null)
})

test('a number that came here a moment ago is busy while its session opens, also where its row cannot be read', async (t) => {
  for (const load of [paired(), () => Promise.reject(new Error('away'))])
    t.like(await asked(0, load), { ok: false, error: { code: 'BUSY', retryAfterSeconds: 1 } })
})

test('a number that is paired no more, or that is here for long, is not connected', async (t) => {
  t.is(await asked(0, async () => null), UNCONNECTED)
  t.is(await asked(31_000, paired()), UNCONNECTED)
})
