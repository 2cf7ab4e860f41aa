import test from 'ava'
import { setImmediate as turn } from 'node:timers/promises'
import { shareStorages } from '../../socket/one-storage.ts'

test('async storages that share one keep their values apart, across waits and when nested, and lose them when they are left', async (t) => {
  shareStorages()
  const { AsyncLocalStorage } = await import('node:async_hooks')
  const [one, other] = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()]
  const seen = async (): Promise<(string | undefined)[]> => {
    await turn()
    return [one.getStore(), other.getStore()]
  }
  t.deepEqual(
    await Promise.all([
      one.run('a', () => other.run('b', seen)),
      other.run('c', () => one.run('d', () => one.run('e', seen))),
      one.run('f', seen),
      seen(),
    ]),
    [
      ['a', 'b'],
      ['e', 'c'],
      ['f', undefined],
      [undefined, undefined],
    ],
  )
})
