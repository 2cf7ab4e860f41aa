import test from 'ava'
import { KeyedTurns } from '../../../src/storage/engine/turns.ts'

test('a few work at once, of one key one after another and in order, and one that fails keeps no other waiting', async (t) => {
  const turns = new KeyedTurns(2)
  const begun: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const start = (key: string, name: string) => {
    const gate = Promise.withResolvers<void>()
    gates.set(name, gate)
    return turns.take(key, async () => {
      begun.push(name)
      await gate.promise
      return name
    })
  }
  const [a1, a2, b1, c1] = [start('a', 'a1'), start('a', 'a2'), start('b', 'b1'), start('c', 'c1')]
  t.deepEqual(begun, ['a1', 'b1'])
  gates.get('a1')?.reject(new Error('no'))
  await t.throwsAsync(a1, { message: 'no' })
  gates.get('b1')?.resolve()
  t.is(await b1, 'b1')
  gates.get('a2')?.resolve()
  gates.get('c1')?.resolve()
  t.deepEqual(await Promise.all([a2, c1]), ['a2', 'c1'])
  t.deepEqual(begun, ['a1', 'b1', 'a2', 'c1'])
})
