import test from 'ava'
import { Places } from '../../../../sandbox/official/webhooks/places.ts'

test('so much is under way as there are places; what waits gets its turn in order, after a failure too', async (t) => {
  const places = new Places(2)
  const begun: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const run = (at: number) =>
    places.run(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(at)
          ends[at] = (error) => (error ? reject(error) : resolve(at))
        }),
    )
  const [first, ...rest] = [run(0), run(1), run(2), run(3)] as const
  t.deepEqual(begun, [0, 1])
  ends[0]?.(new Error('failed'))
  await t.throwsAsync(first, { message: 'failed' })
  t.deepEqual(begun, [0, 1, 2])
  ends[2]?.()
  t.is(await rest[1], 2)
  t.deepEqual(begun, [0, 1, 2, 3])
  ends[1]?.()
  ends[3]?.()
  t.deepEqual(await Promise.all(rest), [1, 2, 3])
  const later = run(4)
  t.deepEqual(begun, [0, 1, 2, 3, 4])
  ends[4]?.()
  t.is(await later, 4)
})
