import test from 'ava'
import { connectedTo, ExampleBot, refusalOf } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const PEER = '5511990000001'
const TONE_HZ = 440

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** A peer that calls the bot with a tone, and has heard it come back. */
async function echoing(t: { teardown(end: () => unknown): void }) {
  const bot = await ExampleBot.start('vonage', [process.execPath, 'main.js'])
  t.teardown(() => bot.stop())
  await connectedTo(service, number, bot, { dialect: 'vonage', rate: 16_000 })
  const { body } = await service.control('POST', `/peers/${PEER}/calls`, { to: number.digits, audio: 'tone' })
  await until('the peer hears its own tone', async () => {
    const { heard } = (await service.control('GET', `/calls/${body.callId}?window=400`)).body
    return Math.abs(heard.dominantHz - TONE_HZ) < 15 && heard.rms > 0.05
  })
  return { bot, callId: body.callId as string }
}

// [voice.connect-to.4]
test.serial(
  'a server of the packages that Vonage documents echoes, gets keys, clears what waits, and hangs up',
  async (t) => {
    const { bot, callId } = await echoing(t)
    t.true(bot.said.includes('connected audio/l16;rate=16000'))
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '8' })).status, 200)
    await until('what waited is dropped', () => bot.said.includes('key 8') && bot.said.includes('cleared'))
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '#' })).status, 200)
    await until(
      'the peer is gone',
      async () => (await service.control('GET', `/calls/${callId}`)).body.state === 'ENDED',
    )
    await until('the program knows', () => bot.said.includes('the call is over'))
  },
)

test.serial('a peer who hangs up ends its socket, and a caller without the token gets none', async (t) => {
  const { bot, callId } = await echoing(t)
  t.is((await service.control('POST', `/calls/${callId}/hangup`)).status, 200)
  await until('the program knows', () => bot.said.includes('the call is over'))
  t.deepEqual(bot.codes, [1000])
  t.is(await refusalOf(bot, 'Bearer other'), 1008)
})
