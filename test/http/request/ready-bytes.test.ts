import test from 'ava'
import { madeOnce } from '../../../src/http/request/ready-bytes.ts'

test('bytes that never change are made once, also for simultaneous requests, and again only after a failure', async (t) => {
  let makings = 0
  const made = madeOnce(() => {
    makings++
    if (makings === 1) throw new Error('not yet')
    return 'the same'
  })
  await t.throwsAsync(made(), { message: 'not yet' })
  const [first, second] = await Promise.all([made(), made()])
  t.is(first, second)
  t.is(await made(), first)
  t.is(makings, 2)
})
