import test from 'ava'
import { createMessages } from '../../../src/commands/messages/messages.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { numberAsks } from '../../helpers/http-nouns.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

function open(answer: () => Promise<Outcome<null>> = async () => succeed(null)) {
  const world = new World()
  const told: (readonly string[])[] = []
  const messages = createMessages({
    ...world,
    ...numberAsks(world.directory),
    askReadMessages: (_, ids) => {
      told.push(ids)
      return answer()
    },
  })
  return { world, told, messages, numberId: world.number.id }
}

test('messages are marked once each, and upstream is told of those it knows', async (t) => {
  const { world, told, messages, numberId } = open()
  const { id } = world.messages.add(world.number, { externalMessageId: 'wamid.1' })
  t.is(valueOf(await messages.markRead({ numberId, messageIds: [id, id] })), 1)
  t.is(valueOf(await messages.markRead({ numberId, messageIds: ['unknown'] })), 0)
  t.deepEqual(told, [['wamid.1']])
})

test("a conversation that is not the number's is not found", async (t) => {
  const { told, messages, numberId } = open()
  t.is(codeOf(await messages.markRead({ numberId, conversationId: 'conv_none' })), 'NOT_FOUND')
  t.deepEqual(told, [])
})

for (const [what, answer] of [
  ['refuses', async () => fail<null>(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'away'))],
  ['fails', () => Promise.reject(new Error('broken'))],
] as const) {
  test(`the mark stays when upstream ${what}`, async (t) => {
    const { world, messages, numberId } = open(answer)
    const { id } = world.messages.add(world.number)
    t.is(valueOf(await messages.markRead({ numberId, messageIds: [id] })), 1)
  })
}
