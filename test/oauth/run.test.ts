import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks'
import test from 'ava'
import { asRun, thisRun } from '../../src/oauth/run.ts'

/** Promises have ids only while an async hook follows them. */
async function isFollowed(): Promise<boolean> {
  const before = executionAsyncId()
  await Promise.resolve()
  return ![before, 0].includes(executionAsyncId())
}

test.serial(
  'code of a request knows its request, however many run at once and however earlier ones ended',
  async (t) => {
    const library = new AsyncLocalStorage<string>()
    const { promise: gate, resolve: go } = Promise.withResolvers<void>()
    const held = ['a', 'b'].map((address) =>
      asRun(
        address,
        () =>
          library.run(address, async () => {
            await gate
            return [thisRun().address, library.getStore()]
          }),
        library,
      ),
    )
    await t.throwsAsync(
      asRun('c', () => Promise.reject(new Error('refused')), library),
      { message: 'refused' },
    )
    go()
    t.deepEqual(await Promise.all(held), [
      ['a', 'a'],
      ['b', 'b'],
    ])
    t.throws(thisRun)
  },
)

test.serial('promises are only tracked while an OAuth request runs', async (t) => {
  const library = new AsyncLocalStorage<string>()
  t.false(await isFollowed())
  t.true(await asRun('a', () => library.run('a', isFollowed), library))
  t.false(await isFollowed())
  await t.throwsAsync(asRun('a', () => library.run('a', () => Promise.reject(new Error('refused'))), library))
  t.false(await isFollowed())
})
