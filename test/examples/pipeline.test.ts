import test from 'ava'
import { ExampleBot, connectedTo } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const ECHO_PEER = '5511990000001'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

// [voice.number-setting.1] [voice.number-setting.2]
test.serial(
  'three models hold a conversation with whoever calls, and say nothing more once they are interrupted',
  async (t) => {
    const bot = await ExampleBot.start('pipeline')
    t.teardown(() => bot.stop())
    await connectedTo(service, number, bot, { dialect: 'vonage', rate: 16_000 })
    const rung = await service.control('POST', `/peers/${ECHO_PEER}/calls`, { to: number.digits })
    const { callId } = rung.body
    await until('the greeting is interrupted by its echo', () => bot.said.includes('the caller speaks'))
    await until('what waited is dropped', () => bot.texts('service').some(({ event }) => event === 'websocket:cleared'))
    await until('the model answers', () =>
      bot.said.some((line) => /^bot: I heard you speak for about \w+ second/.test(line)),
    )
    t.true(bot.said.some((line) => /^caller: \d+\.\d s of speech$/.test(line)))
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '4' })).status, 200)
    await until('the peer gets the key back', async () => {
      const { body } = await service.control('GET', `/calls/${callId}`)
      return body.heard.digits.includes('4')
    })
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '#' })).status, 200)
    await until(
      'the bot hangs up',
      async () => (await service.control('GET', `/calls/${callId}`)).body.state === 'ENDED',
    )
    await until('the program knows', () => bot.said.includes('the call is over'))
  },
)

test.serial('a person on another number talks with it, and hangs up', async (t) => {
  const bot = await ExampleBot.start('pipeline')
  t.teardown(() => bot.stop())
  await connectedTo(service, number, bot, { dialect: 'vonage', rate: 16_000 })
  const person = await service.pairNumber()
  const { id, externalCallId } = await service.placeCall(person, number.digits)
  await service.untilCall(person, id, ['ACCEPTED'])
  await until('the greeting is heard to its end', () => bot.said.includes('the caller heard it'))
  const { body } = await service.control('GET', `/calls/${externalCallId}`)
  t.true(body.sent.ms > 3_000, `${body.sent.ms} ms`)
  await service.endCall(person, id)
  await until('the program knows', () => bot.said.includes('the call is over'))
})
