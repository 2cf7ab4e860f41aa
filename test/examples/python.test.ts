import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { connectedTo, ExampleBot, refusalOf } from '../helpers/example-bot.ts'
import { findPython } from '../helpers/python.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const TONE_PEER = '5511990000006'
const WAV_HEADER_BYTES = 44

const PYTHON = findPython('its example')
const inPython = PYTHON === undefined ? test.serial.skip : test.serial

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

inPython(
  'a bot in Python echoes a caller, gives keys back, and has recorded the caller when the call is over',
  async (t) => {
    const folder = await temporaryDirectory()
    t.teardown(() => folder.remove())
    const bot = await ExampleBot.start('python', [PYTHON ?? '', 'main.py'], { RECORDINGS: folder.path })
    t.teardown(() => bot.stop())
    await connectedTo(service, number, bot, { dialect: 'native', rate: 16_000 })
    const { callId } = (
      await service.control('POST', `/peers/${TONE_PEER}/calls`, { to: number.digits, audio: 'tone' })
    ).body
    await until('the peer hears its own tone', async () => {
      const { heard } = (await service.control('GET', `/calls/${callId}?window=400`)).body
      return Math.abs(heard.dominantHz - 440) < 15 && heard.rms > 0.05
    })
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '6' })).status, 200)
    await until('the peer gets the key back', async () => {
      const { heard } = (await service.control('GET', `/calls/${callId}`)).body
      return heard.digits.includes('6')
    })
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '#' })).status, 200)
    await until(
      'the bot hangs up',
      async () => (await service.control('GET', `/calls/${callId}`)).body.state === 'ENDED',
    )
    await until('it says what it recorded', () => bot.said.some((line) => line.startsWith('recorded ')))
    const id = bot.said.find((line) => line.startsWith('call '))?.slice(5)
    const wav = readFileSync(join(folder.path, `${id}.wav`))
    const heardBytes = bot.relayed.reduce(
      (sum, { from, audio }) => sum + (from === 'service' ? (audio?.length ?? 0) : 0),
      0,
    )
    t.is(wav.length, WAV_HEADER_BYTES + heardBytes)
  },
)

inPython('a bot in Python lets nobody in who has no token', async (t) => {
  const bot = await ExampleBot.start('python', [PYTHON ?? '', 'main.py'])
  t.teardown(() => bot.stop())
  t.is(await refusalOf(bot, 'Bearer other'), 1008)
})
