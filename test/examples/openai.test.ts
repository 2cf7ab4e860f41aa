import test from 'ava'
import type { ExecutionContext } from 'ava'
import { startScriptedModel } from '../../examples/scripted/realtime-model.ts'
import { ExampleBot, refusalOf } from '../helpers/example-bot.ts'
import { firstUtteranceMs, interrupted, openaiOnCall, utteranceMs, type BotOnCall } from '../helpers/openai-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** A call with the example, which is stopped after the test. */
async function talking(t: ExecutionContext, env: object = {}): Promise<BotOnCall> {
  return await openaiOnCall({ t, service, number, env })
}

// [voice.connect-to.1] [voice.connect-to.5]
test.serial('the stock transport speaks, is interrupted by an echo, and answers what it heard', async (t) => {
  const { bot, id, externalCallId } = await talking(t)
  await interrupted(bot)
  const saidMs = utteranceMs(bot)
  const heardMs = await firstUtteranceMs(service, externalCallId, bot)
  t.true(heardMs > 0 && heardMs < saidMs / 2, `heard ${heardMs} ms of ${saidMs} ms`)
  await service.endCall(number, id)
  await until('its socket is closed', () => bot.codes.length === 1)
  t.deepEqual(bot.codes, [1000])
})

test.serial('digits reach the model, which presses keys itself and hangs up: the peer is gone too', async (t) => {
  const { bot, id, externalCallId } = await talking(t)
  await until('the media flows', () => bot.said.includes('model the caller speaks'))
  t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '5' })).status, 200)
  await until('the model presses it', () => bot.said.includes('model calls press_keys'))
  await until('the peer gets the digit', async () => {
    const { body } = await service.control('GET', `/calls/${externalCallId}`)
    return body.heard.digits.includes('5')
  })
  t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '#' })).status, 200)
  t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
  t.is((await service.control('GET', `/calls/${externalCallId}`)).body.state, 'ENDED')
  await until('its socket is closed', () => bot.codes.length === 1)
  await until('the program knows', () => bot.said.includes('the call is over'))
})

test.serial('a peer who hangs up ends the session with the model', async (t) => {
  const { bot, id, externalCallId } = await talking(t)
  t.is((await service.control('POST', `/calls/${externalCallId}/hangup`)).status, 200)
  t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
  await until('the program knows', () => bot.said.includes('the call is over'))
  t.deepEqual(bot.codes, [1000])
})

test.serial('a model that is lost in the middle of a call is connected again, and the call goes on', async (t) => {
  const said: string[] = []
  const model = await startScriptedModel((line) => said.push(line))
  t.teardown(() => model.close())
  const { bot, id } = await talking(t, { OPENAI_API_KEY: 'sk-of-a-test', OPENAI_URL: model.url })
  const greetings = () => said.filter((line) => line.startsWith('says "Hello')).length
  await until('the model greets', () => greetings() === 1)
  model.drop()
  await until('it greets again', () => greetings() === 2)
  t.is((await service.api('GET', `/v1/calls/${id}`, number.key)).body.status, 'ACCEPTED')
  t.false(bot.said.join().includes('sk-of-a-test'))
  await service.endCall(number, id)
  await until('its socket is closed', () => bot.codes.at(-1) === 1000)
})

test('a caller without the token is not let in', async (t) => {
  const bot = await ExampleBot.start('openai')
  t.teardown(() => bot.stop())
  t.is(await refusalOf(bot, 'Bearer other'), 401)
})
