import test from 'ava'
import { FairQueue, KeyedTurns, Turns } from '../../src/domain/turns.ts'

/** Work that records its name when it begins. The test ends it. */
function workshop() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const endOf = (name: string) => {
    const end = ends.get(name) ?? Promise.withResolvers<string>()
    ends.set(name, end)
    return end
  }
  return {
    begun,
    work: (name: string) => (): Promise<string> => {
      begun.push(name)
      return endOf(name).promise
    },
    end: (...names: string[]) => names.forEach((name) => endOf(name).resolve(name)),
    fail: (name: string) => endOf(name).reject(new Error(`${name} failed`)),
  }
}

test('work goes on one after another in the order of asking, also after a failure, and begins at once where none is', async (t) => {
  const { begun, work, end, fail } = workshop()
  const turns = new Turns()
  const ask = (name: string) => turns.run(work(name))
  const [first, second, third] = [ask('first'), ask('second'), ask('third')]
  t.deepEqual(begun, ['first'])
  fail('first')
  await t.throwsAsync(first, { message: 'first failed' })
  t.deepEqual(begun, ['first', 'second'])
  end('second', 'third')
  t.deepEqual(await Promise.all([second, third]), ['second', 'third'])
  t.deepEqual(begun, ['first', 'second', 'third'])
})

test('a bounded number of tasks runs at once; the others get their turn in order, also after a failure', async (t) => {
  const { begun, work, end, fail } = workshop()
  const turns = new Turns(2)
  const ask = (name: string) => turns.run(work(name))
  const [a, b, c, d] = [ask('a'), ask('b'), ask('c'), ask('d')]
  t.deepEqual(begun, ['a', 'b'])
  fail('a')
  await t.throwsAsync(a, { message: 'a failed' })
  t.deepEqual(begun, ['a', 'b', 'c'])
  end('c')
  t.is(await c, 'c')
  t.deepEqual(begun, ['a', 'b', 'c', 'd'])
  end('b', 'd')
  t.deepEqual(await Promise.all([b, d]), ['b', 'd'])
  const later = turns.run(work('e'))
  t.deepEqual(begun, ['a', 'b', 'c', 'd', 'e'])
  end('e')
  t.is(await later, 'e')
})

test('a task that arrives just as a place becomes free comes after those that wait', async (t) => {
  const { begun, work, end } = workshop()
  const turns = new Turns()
  const late = turns.run(work('a')).then(() => turns.run(work('late')))
  const waiting = ['b', 'c'].map((name) => turns.run(work(name)))
  end('a', 'b', 'c', 'late')
  await Promise.all([late, ...waiting])
  t.deepEqual(begun, ['a', 'b', 'c', 'late'])
})

test('places come back when nobody waits for them: later as much runs at once as before, and no more', async (t) => {
  const { begun, work, end } = workshop()
  const turns = new KeyedTurns({ ofKey: 2, inAll: 3 })
  for (const name of ['1', '2', '3', '4', '5']) t.is(await turns.run('a', () => Promise.resolve(name)), name)
  const ask = (name: string) => turns.run(name.charAt(0), work(name))
  const a1 = ask('a1')
  const others = [ask('a2')]
  end('a1')
  await a1
  others.push(...['a3', 'a4', 'b1', 'b2', 'c1'].map(ask))
  t.deepEqual(begun, ['a1', 'a2', 'a3', 'b1'])
  end('a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  await Promise.all(others)
  t.deepEqual(begun.toSorted(), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
})

test('where nothing of a key may wait, its first work runs and more is turned away', async (t) => {
  const { begun, work, end } = workshop()
  const turns = new KeyedTurns({ mostWaiting: 0 })
  const first = turns.runIfRoom('a', work('a1'))
  t.is(await turns.runIfRoom('a', work('a2')), null)
  end('a1')
  t.is(await first, 'a1')
  t.is(await turns.runIfRoom('a', () => Promise.resolve('a3')), 'a3')
  t.deepEqual(begun, ['a1'])
})

test('work that throws before it answers gives its place back', async (t) => {
  const turns = new Turns()
  const thrown = turns.run(() => {
    throw new Error('at once')
  })
  await t.throwsAsync(thrown, { message: 'at once' })
  t.is(await turns.run(() => Promise.resolve('next')), 'next')
})

test('keys work side by side, each one after another', async (t) => {
  const { begun, work, end, fail } = workshop()
  const turns = new KeyedTurns()
  const ask = (name: string) => turns.run(name.charAt(0), work(name))
  const [a1, a2, b1, a3] = [ask('a1'), ask('a2'), ask('b1'), ask('a3')]
  t.deepEqual(begun, ['a1', 'b1'])
  fail('a1')
  await t.throwsAsync(a1, { message: 'a1 failed' })
  t.deepEqual(begun, ['a1', 'b1', 'a2'])
  end('a2', 'a3', 'b1')
  t.deepEqual(await Promise.all([a2, b1, a3]), ['a2', 'b1', 'a3'])
  t.deepEqual(begun, ['a1', 'b1', 'a2', 'a3'])
})

test('several keys work at once, tasks of one key run one after another, and the earliest task that may run goes first', async (t) => {
  const { begun, work, end, fail } = workshop()
  const turns = new KeyedTurns({ inAll: 2 })
  const ask = (name: string) => turns.run(name.charAt(0), work(name))
  const [a1, a2, b1, c1, ...rest] = [ask('a1'), ask('a2'), ask('b1'), ask('c1'), ask('b2'), ask('a3')]
  t.deepEqual(begun, ['a1', 'b1'])
  fail('a1')
  await t.throwsAsync(a1, { message: 'a1 failed' })
  t.deepEqual(begun, ['a1', 'b1', 'a2'])
  end('b1')
  t.is(await b1, 'b1')
  t.deepEqual(begun, ['a1', 'b1', 'a2', 'c1'])
  end('a2', 'c1')
  t.deepEqual(await Promise.all([a2, c1]), ['a2', 'c1'])
  end('b2', 'a3')
  t.deepEqual(await Promise.all(rest), ['b2', 'a3'])
  t.deepEqual(begun, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3'])
})

test('with a higher limit several tasks of one key run at once, but never more in total than the limit', async (t) => {
  const { begun, work, end } = workshop()
  const turns = new KeyedTurns({ ofKey: 2, inAll: 3 })
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => turns.run(name.charAt(0), work(name)))
  t.deepEqual(begun, ['a1', 'a2', 'b1'])
  end('b1')
  t.is(await all[3], 'b1')
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'b2'])
  end('a2')
  t.is(await all[1], 'a2')
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'b2', 'a3'])
  end('a1', 'a3', 'b2', 'c1')
  t.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('a key with a full queue refuses a task at once, and other keys still have room', async (t) => {
  const { begun, work, end } = workshop()
  const turns = new KeyedTurns({ ofKey: 2, mostWaiting: 1 })
  const ask = (name: string) => turns.runIfRoom(name.charAt(0), work(name))
  const [a1, a2, a3] = ['a1', 'a2', 'a3'].map(ask)
  t.is(await ask('a4'), null)
  const b1 = ask('b1')
  t.deepEqual(begun, ['a1', 'a2', 'b1'])
  end('a1')
  t.is(await a1, 'a1')
  const a5 = ask('a5')
  t.is(await ask('a6'), null)
  end('a2', 'a3', 'a5', 'b1')
  t.deepEqual(await Promise.all([a2, a3, a5, b1]), ['a2', 'a3', 'a5', 'b1'])
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'a5'])
})

test('keys take turns, whatever one of them queued', (t) => {
  const queue = new FairQueue<string>(3, 5)
  for (const item of ['a1', 'a2', 'a3']) t.true(queue.push('a', item))
  t.false(queue.push('a', 'a4'))
  t.true(queue.push('b', 'b1'))
  t.true(queue.push('c', 'c1'))
  t.false(queue.push('d', 'd1'))
  t.true(queue.remove('a', 'a2'))
  t.false(queue.remove('a', 'a2'))
  t.deepEqual(
    Array.from({ length: 5 }, () => queue.shift()),
    ['a1', 'b1', 'c1', 'a3', null],
  )
  t.is(queue.size, 0)
})

test('a task that may not run yet does not hold up those behind it', (t) => {
  const queue = new FairQueue<string>(10, 10)
  for (const item of ['video', 'picture']) queue.push('a', item)
  t.is(
    queue.shift((item) => item !== 'video'),
    'picture',
  )
  t.is(
    queue.shift((item) => item !== 'video'),
    null,
  )
  t.deepEqual(queue.clear(), ['video'])
  t.is(queue.size, 0)
})

test('taking a task uses up the turn of its key, removing one does not', (t) => {
  const queue = new FairQueue<string>(10, 10)
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1']) queue.push(item.charAt(0), item)
  queue.remove('a', 'a1')
  t.deepEqual(
    [...queue.lines()],
    [
      ['a', ['a2', 'a3']],
      ['b', ['b1']],
      ['c', ['c1']],
    ],
  )
  queue.take('a', 'a3')
  queue.take('b', 'b1')
  queue.take('b', 'b1')
  t.deepEqual(
    [...queue.lines()],
    [
      ['c', ['c1']],
      ['a', ['a2']],
    ],
  )
  t.deepEqual([queue.sizeOf('a'), queue.sizeOf('b'), queue.size], [1, 0, 2])
})
