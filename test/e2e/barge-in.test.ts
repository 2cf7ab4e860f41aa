/**
 * How fast audio ends that a stock server cuts off. It is heard in real time, so nothing else may run meanwhile, and it
 * needs the packages of the examples.
 */
import test from 'ava'
import { firstUtteranceMs, interrupted, openaiOnCall, playedMs } from '../helpers/openai-bot.ts'
import { joinService } from '../helpers/shared-service.ts'

test('a stock server is interrupted by an echo, and the peer hears no more than 60 ms beyond that', async (t) => {
  const service = await joinService()
  const number = await service.pairNumber()
  const { bot, id, externalCallId } = await openaiOnCall({ t, service, number })
  await interrupted(bot)
  const [heardMs, knownMs] = [await firstUtteranceMs(service, externalCallId, bot), playedMs(bot)]
  t.true(heardMs > 0 && heardMs <= knownMs + 60, `heard ${heardMs} ms of ${knownMs} ms`)
  await service.endCall(number, id)
})
