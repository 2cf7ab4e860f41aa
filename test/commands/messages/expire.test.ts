import test from 'ava'
import { expireMessages } from '../../../src/commands/messages/expire.ts'

/** A queue that ends as many as it is scripted to. */
function scripted(ended: number) {
  const asked: { limit: number; doubtMs: number }[] = []
  return {
    asked,
    async expire(limit: number, doubtMs: number): Promise<number> {
      asked.push({ limit, doubtMs })
      return ended
    },
  }
}

test('what waited too long is ended, sparing what upstream was asked for within a minute', async (t) => {
  const queue = scripted(3)
  t.false(await expireMessages(queue))
  t.is(queue.asked.length, 1)
  t.true(queue.asked.every(({ doubtMs }) => doubtMs >= 60_000))
})

test('a full batch says that there may be more', async (t) => {
  t.true(await expireMessages(scripted(500)))
})
