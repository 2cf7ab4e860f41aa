import test from 'ava'
import { ExampleBot, connectedTo } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const PEER = '5511990000001'
/** The first note of the tune, and what the peer's phone may measure instead. */
const NOTE_HZ = 523
const OFF_HZ = 15

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

test.serial(
  'a caller hears files by keys, leaves a message, hears it, and is hung up on behind the last file',
  async (t) => {
    const bot = await ExampleBot.start('ivr')
    t.teardown(() => bot.stop())
    await connectedTo(service, number, bot, { dialect: 'native', rate: 16_000 })
    const { callId } = (await service.control('POST', `/peers/${PEER}/calls`, { to: number.digits, audio: 'tone' }))
      .body
    const played = (status: string) =>
      bot.texts('service').filter((text) => text.type === 'play' && text.status === status)
    const press = async (digits: string) => {
      t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits })).status, 200)
      await until(`the menu takes ${digits}`, () => bot.said.includes(`key ${digits}`))
    }
    await until('the menu is played', () => played('started').length === 1)
    await until(
      'the peer hears it',
      async () => (await service.control('GET', `/calls/${callId}`)).body.heard.rms > 0.01,
    )
    await press('1')
    await until('the menu made way', () => played('failed').some(({ error }) => error === 'CLEARED'))
    await until('the peer hears the tune', async () => {
      const { heard } = (await service.control('GET', `/calls/${callId}?window=300`)).body
      return Math.abs(heard.dominantHz - NOTE_HZ) <= OFF_HZ
    })
    await press('2')
    await until('it records', () => bot.said.includes('records'))
    await press('#')
    await until('it has a message', () => bot.said.some((line) => /^a message of \d+\.\d s$/.test(line)))
    const before = played('finished').length
    await until('the message was played back', () => played('finished').length >= before + 2)
    await press('9')
    await until('it hung up', async () => (await service.control('GET', `/calls/${callId}`)).body.state === 'ENDED')
    await until('the program knows', () => bot.said.includes('the call is over'))
    t.deepEqual(
      bot.said.filter((line) => line.startsWith('a file failed') && !line.endsWith('CLEARED')),
      [],
    )
  },
)

test('it serves its files and nothing else', async (t) => {
  const bot = await ExampleBot.start('ivr')
  t.teardown(() => bot.stop())
  const base = (bot.address ?? '').replace('ws:', 'http:')
  const menu = await fetch(`${base}menu.wav`)
  t.is(menu.headers.get('content-type'), 'audio/wav')
  t.is(Buffer.from(await menu.arrayBuffer()).toString('latin1', 0, 4), 'RIFF')
  for (const path of ['', 'main.ts', '../main.ts', 'none.wav']) t.is((await fetch(base + path)).status, 404, path)
})
