import test from 'ava'
import { Newest } from '../../process/newest.ts'

test('when there are too many values, those that were set longest ago are removed', (t) => {
  const newest = new Newest<string, number>(2)
  newest.set('a', 1)
  newest.set('b', 2)
  newest.set('a', 3)
  newest.set('c', 4)
  t.deepEqual(
    ['a', 'b', 'c'].map((key) => newest.get(key)),
    [3, undefined, 4],
  )
})
