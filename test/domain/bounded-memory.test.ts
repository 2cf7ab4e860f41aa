import test from 'ava'
import { BoundedMemory } from '../../src/domain/bounded-memory.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

const LIFETIME_MS = 1_000

/** A memory of at most three values, each kept for one second unless told otherwise. */
function briefMemory(ms = LIFETIME_MS) {
  const clock = new FakeClock()
  return { clock, memory: new BoundedMemory<string>({ most: 3 }, { ms, clock }) }
}

function inOrder(memory: BoundedMemory<string>, keys: string): string {
  return [...keys].filter((key) => memory.has(key)).join('')
}

test('the oldest goes first, however often it is read', (t) => {
  const memory = new BoundedMemory<string>({ most: 3 })
  for (const key of 'abc') memory.set(key, key)
  t.is(memory.get('a'), 'a')
  memory.set('d', 'd')
  t.is(inOrder(memory, 'abcd'), 'bcd')
  t.is(memory.get('a'), null)
  t.is(memory.size, 3)
})

test('a value that is set again becomes the newest', (t) => {
  const memory = new BoundedMemory<string>({ most: 3 })
  for (const key of 'abca') memory.set(key, `${key} ${memory.size}`)
  memory.set('d', 'd')
  t.is(inOrder(memory, 'abcd'), 'acd')
  t.is(memory.get('a'), 'a 3')
})

test('when values are read with use, the least recently used one is removed first', (t) => {
  const memory = new BoundedMemory<string>({ most: 3 })
  for (const key of 'abc') memory.set(key, key)
  t.is(memory.use('a'), 'a')
  t.is(memory.use('z'), null)
  memory.set('d', 'd')
  t.is(inOrder(memory, 'abcd'), 'acd')
})

test('a deleted value is gone and makes room', (t) => {
  const memory = new BoundedMemory<string>({ most: 3 })
  for (const key of 'abc') memory.set(key, key)
  memory.delete('b')
  memory.delete('z')
  memory.set('d', 'd')
  t.is(inOrder(memory, 'abcd'), 'acd')
  for (const key of 'acd') memory.delete(key)
  t.is(memory.size, 0)
  memory.set('e', 'e')
  t.is(memory.get('e'), 'e')
})

test('a value is known until its lifetime is over, from the first ms of a clock on', (t) => {
  const { clock, memory } = briefMemory()
  t.is(clock.monotonicMs(), 0)
  memory.set('a', 'a')
  clock.advance(LIFETIME_MS - 1)
  memory.set('b', 'b')
  t.is(inOrder(memory, 'ab'), 'ab')
  clock.advance(1)
  t.is(inOrder(memory, 'ab'), 'b')
  t.is(memory.use('a'), null)
  memory.set('a', 'again')
  clock.advance(LIFETIME_MS - 1)
  t.is(inOrder(memory, 'ab'), 'a')
})

test('a value may have a lifetime of its own, and one that began before', (t) => {
  const { clock, memory } = briefMemory()
  clock.advance(100)
  memory.set('a', 'a', { ms: 10 })
  memory.set('b', 'b', { sinceMs: 0 })
  clock.advance(9)
  t.is(inOrder(memory, 'ab'), 'ab')
  clock.advance(1)
  t.is(inOrder(memory, 'ab'), 'b')
  clock.advance(LIFETIME_MS - 110)
  t.is(inOrder(memory, 'ab'), '')
})

test('with a lifetime of 0 nothing is known', async (t) => {
  const { memory } = briefMemory(0)
  memory.set('a', 'a')
  t.is(memory.get('a'), null)
  t.is(await memory.find('b', async () => 'b'), 'b')
  t.is(memory.size, 0)
})

test('without a lifetime a value is known for as long as there is room', (t) => {
  const memory = new BoundedMemory<Promise<string>>({ most: 1 })
  const value = Promise.resolve('a')
  memory.set('a', value)
  t.is(memory.get('a'), value)
})

test('a memory bounded in bytes removes as many bytes as a new value needs, and does not keep a value larger than itself', (t) => {
  const memory = new BoundedMemory<string>({ mostBytes: 10.5, bytesOf: (value) => value.length })
  memory.set('a', 'aaaa')
  memory.set('b', 'bbb')
  memory.set('c', 'ccc')
  t.is(memory.bytes, 10)
  t.is(memory.use('a'), 'aaaa')
  memory.set('d', 'dddddd')
  t.is(inOrder(memory, 'abcd'), 'ad')
  t.is(memory.bytes, 10)
  memory.set('a', 'a'.repeat(11))
  t.is(inOrder(memory, 'abcd'), 'd')
  t.is(memory.bytes, 6)
  memory.set('d', '')
  t.is(memory.get('d'), '')
})

test('a found value is not looked up again while it is remembered, a missing one is', async (t) => {
  const { clock, memory } = briefMemory()
  const asked: string[] = []
  const find = (key: string, found: string | null) =>
    memory.find(key, async () => {
      asked.push(key)
      return found
    })
  t.deepEqual([await find('a', 'a'), await find('a', 'other')], ['a', 'a'])
  t.deepEqual([await find('b', null), await find('b', 'b')], [null, 'b'])
  clock.advance(LIFETIME_MS)
  t.is(await find('a', 'later'), 'later')
  t.deepEqual(asked, ['a', 'b', 'b', 'a'])
})

test('a lifetime begins when a value was found, or when it was asked for', async (t) => {
  const { clock, memory } = briefMemory()
  const slow = (value: string) => async () => {
    clock.advance(100)
    return value
  }
  await memory.find('a', slow('a'), 'asked')
  await memory.find('b', slow('b'))
  clock.advance(LIFETIME_MS - 200)
  t.is(inOrder(memory, 'ab'), 'b')
  clock.advance(199)
  t.is(inOrder(memory, 'ab'), 'b')
  clock.advance(1)
  t.is(inOrder(memory, 'ab'), '')
})

test('a look-up that runs while anything is forgotten is answered but not remembered', async (t) => {
  const { memory } = briefMemory()
  const lookUp = Promise.withResolvers<string>()
  const found = memory.find('a', () => lookUp.promise)
  memory.forget(() => false)
  lookUp.resolve('before')
  t.is(await found, 'before')
  t.is(memory.get('a'), null)
  t.is(await memory.find('a', async () => 'after'), 'after')
  t.is(memory.get('a'), 'after')
})

test('a look-up that fails keeps nothing, and the next one is made', async (t) => {
  const { memory } = briefMemory()
  await t.throwsAsync(
    memory.find('a', () => Promise.reject(new Error('away'))),
    { message: 'away' },
  )
  t.is(await memory.find('a', async () => 'a'), 'a')
})

test('values can be forgotten by their value or their key, wherever they stand', (t) => {
  for (const gone of ['', 'a', 'b', 'c', 'ab', 'bc', 'ac', 'abc']) {
    const { memory } = briefMemory()
    for (const key of 'abc') memory.set(key, key.toUpperCase())
    memory.forget((value, key) => gone.includes(key) && value === key.toUpperCase())
    t.is(inOrder(memory, 'abc'), [...'abc'].filter((key) => !gone.includes(key)).join(''))
  }
})
