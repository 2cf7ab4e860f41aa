import test from 'ava'
import type { Hold } from '../../store/hold.ts'
import { createValueCache, heldCacheOf } from '../../store/value-cache.ts'

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

// [engine-fleet.store.3]
test('a number is answered from memory only while its hold is sure, and never from what an earlier hold knew', (t) => {
  const all = createValueCache()
  let isSure = true
  const holdOf = (numberId: string, token: number) => ({ numberId, token, isSure: () => isSure }) as unknown as Hold
  const cache = heldCacheOf(all, holdOf('num_1', 1))
  cache.set('a', 1, 1)
  t.is(cache.get('a'), 1)
  isSure = false
  t.is(cache.get('a'), undefined)
  isSure = true
  t.is(cache.get('a'), 1)
  t.is(heldCacheOf(all, holdOf('num_1', 2)).get('a'), undefined)
  t.is(heldCacheOf(all, holdOf('num_2', 1)).get('a'), undefined)
  cache.delete('a')
  t.is(cache.get('a'), undefined)
})
