import test from 'ava'
import { Tally } from '../../src/domain/tally.ts'

test('amounts add up by key, and a key whose amount is zero takes no room', (t) => {
  const tally = new Tally<string>()
  tally.add('a', 2)
  tally.add('a', 3)
  tally.add('b', 1)
  t.deepEqual([tally.of('a'), tally.of('b'), tally.of('c'), tally.size], [5, 1, 0, 2])
  tally.add('a', -5)
  tally.add('c', -1)
  t.deepEqual([tally.of('a'), tally.of('c'), tally.size], [0, 0, 1])
  tally.clear()
  t.is(tally.size, 0)
})
