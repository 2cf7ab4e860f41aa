import test from 'ava'
import { readCorpus } from './corpus.ts'
import { fuzz } from './fuzz.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'

/** Inputs of each target here; `npm run fuzz` has as many as are wanted. */
const INPUTS = 400

for (const [name, target] of TARGETS)
  test(`${name}: no input that was kept, and none made of those, breaks a promise of its reader`, async (t) => {
    const corpus = readCorpus(name)
    t.true(corpus.length > 0, 'npm run fuzz -- --keep makes the corpus')
    const { faults, tried } = await fuzz(target, { inputs: INPUTS + corpus.length, seed: 1, corpus })
    t.is(tried, INPUTS + corpus.length)
    t.deepEqual(
      faults.map(({ bytes, error }) => `${String(error)} of ${bytes.toString('base64')}`),
      [],
    )
  })

/** A reader that breaks when a text says so, which two of its ways lead to. */
const brittle: Target = {
  name: 'brittle',
  starts: ['a'],
  words: ['begin', 'end'],
  take(bytes) {
    const text = bytes.toString('latin1')
    if (text.includes('beginend')) throw new Error('broken')
    return String(text.includes('begin'))
  },
}

test('an input that breaks a reader is found through those on the way to it, and again by the same seed', async (t) => {
  const found = await fuzz(brittle, { inputs: 5_000, seed: 3, corpus: [] })
  t.is(found.faults.length, 1)
  t.true(found.faults[0]?.bytes.includes('beginend'))
  const again = await fuzz(brittle, { inputs: 5_000, seed: 3, corpus: [] })
  t.deepEqual(again.faults[0]?.bytes, found.faults[0]?.bytes)
})
