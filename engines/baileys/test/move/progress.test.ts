import test from 'ava'
import { createProgress } from '../../move/progress.ts'

// [engine-fleet.store.11]
test('progress tells numbers, rows, rows a second and the time that is left, at most once in 2 s', (t) => {
  const said: string[] = []
  let now = 1_000
  const progress = createProgress({ numbers: 2, rows: 1_000, print: (line) => said.push(line), now: () => now })
  progress.rows(100)
  t.deepEqual(said, [])
  now += 2_000
  progress.rows(100)
  now += 1_999
  progress.rows(100)
  now += 1
  progress.number()
  t.deepEqual(said, [
    '0 of 2 numbers, 200 of 1000 rows, 100 rows/s, 8 s left',
    '1 of 2 numbers, 300 of 1000 rows, 75 rows/s, 10 s left',
  ])
})
