import test from 'ava'
import { createMessages } from '../../../src/commands/messages/messages.ts'
import type { MessagePorts } from '../../../src/commands/messages/ports.ts'

/** Messages over a queue that ends the scripted number of them. */
function scripted(ended: number) {
  const asked: { limit: number; doubtMs: number }[] = []
  const queue: MessagePorts['queue'] = {
    async expire(limit, doubtMs) {
      asked.push({ limit, doubtMs })
      return ended
    },
  }
  return { asked, messages: createMessages({ queue } as MessagePorts) }
}

test('messages that waited too long end, except those that the upstream was asked for within the last minute', async (t) => {
  const { asked, messages } = scripted(3)
  t.false(await messages.expire())
  t.is(asked.length, 1)
  t.true(asked.every(({ doubtMs }) => doubtMs >= 60_000))
})

test('a full batch says that there may be more', async (t) => {
  t.true(await scripted(500).messages.expire())
})
