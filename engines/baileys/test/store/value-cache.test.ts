import test from 'ava'
import { createValueCache } from '../../store/value-cache.ts'

test('when values take too many bytes, the least recently used are removed; a value counts with its latest size', (t) => {
  const cache = createValueCache(10)
  cache.set('a', 1, 4)
  cache.set('b', 2, 4)
  t.is(cache.get('a'), 1)
  cache.set('c', 3, 4)
  t.deepEqual(
    ['a', 'b', 'c'].map((name) => cache.get(name)),
    [1, undefined, 3],
  )
  cache.set('a', 4, 6)
  t.deepEqual(
    ['a', 'c'].map((name) => cache.get(name)),
    [4, 3],
  )
  cache.set('d', 5, 11)
  t.deepEqual(
    ['a', 'c', 'd'].map((name) => cache.get(name)),
    [undefined, undefined, undefined],
  )
})
