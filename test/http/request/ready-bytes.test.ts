import test from 'ava'
import { madeOnce } from '../../../src/http/request/ready-bytes.ts'

test('what is always the same is made once, whoever asks meanwhile, and anew only after a failure', async (t) => {
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
