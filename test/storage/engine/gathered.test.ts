import test from 'ava'
import { Gathered } from '../../../src/storage/engine/gathered.ts'

/** A gatherer whose runs are recorded and last until the test ends them. */
function gatherer(maxWeight = 10) {
  const runs: { readonly items: readonly number[]; finish(): void; fail(): void }[] = []
  const gathered = new Gathered<number, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({
          items,
          finish: () => resolve(items.map((item) => `of ${item}`)),
          fail: () => reject(new Error(`failed ${items.join()}`)),
        })
      }),
    weightOf: (item) => item,
    maxWeight,
  })
  return { gathered, runs }
}

/** Waits until everything that follows from settled promises has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the first item runs at once; items that arrive meanwhile run together, each with its own result', async (t) => {
  const { gathered, runs } = gatherer()
  const results = [gathered.add(1), gathered.add(2), gathered.add(3)]
  t.deepEqual(
    runs.map(({ items }) => items),
    [[1]],
  )
  runs[0]?.finish()
  t.is(await results[0], 'of 1')
  await settled()
  t.deepEqual(runs[1]?.items, [2, 3])
  runs[1]?.finish()
  t.deepEqual(await Promise.all(results), ['of 1', 'of 2', 'of 3'])
  void gathered.add(4)
  t.deepEqual(runs[2]?.items, [4], 'it starts again after it was idle')
})

test('a run takes up to its weight, and a heavier item alone', async (t) => {
  const { gathered, runs } = gatherer(10)
  const all = [1, 6, 4, 1, 30, 2].map((item) => gathered.add(item))
  const sizes: (readonly number[])[] = []
  for (let i = 0; i < 5; i++) {
    await settled()
    sizes.push(runs[i]?.items ?? [])
    runs[i]?.finish()
  }
  t.deepEqual(sizes, [[1], [6, 4], [1], [30], [2]])
  await Promise.all(all)
})

test('a run that fails is repeated one by one, so that only what fails alone fails', async (t) => {
  const { gathered, runs } = gatherer()
  const results = [gathered.add(1), gathered.add(2), gathered.add(3)].map((result) =>
    result.catch((error: Error) => error.message),
  )
  runs[0]?.finish()
  await settled()
  runs[1]?.fail()
  await settled()
  runs[2]?.fail()
  await settled()
  runs[3]?.finish()
  t.deepEqual(await Promise.all(results), ['of 1', 'failed 2', 'of 3'])
})
