import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import test from 'ava'
import { takeBody } from '../../../src/http/request/body-pieces.ts'

/** A body whose two pieces and end have arrived. The work on each piece lasts until the test ends it. */
function twoPieces() {
  const work: PromiseWithResolvers<void>[] = []
  const req = new PassThrough()
  const taken = takeBody(req as unknown as IncomingMessage, () => {
    const piece = Promise.withResolvers<void>()
    work.push(piece)
    return piece.promise
  })
  req.write('first')
  req.write('second')
  req.end()
  return { work, taken }
}

async function turns(): Promise<void> {
  for (let at = 0; at < 10; at++) await turn()
}

test('a body is taken once its last piece is, although its end was there before', async (t) => {
  const { work, taken } = twoPieces()
  let isTaken = false
  void taken.then(() => {
    isTaken = true
  })
  await turns()
  work[0]?.resolve()
  await turns()
  t.deepEqual([work.length, isTaken], [2, false])
  work[1]?.resolve()
  t.true(await taken)
})

test('a body whose last piece is refused late is refused', async (t) => {
  const { work, taken } = twoPieces()
  await turns()
  work[0]?.resolve()
  await turns()
  work[1]?.reject(new Error('refused'))
  await t.throwsAsync(taken, { message: 'refused' })
})
